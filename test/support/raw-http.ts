import type { IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  body: any;
}

const PATIENCE_MS = 20_000;

/** A bare connection: what goes out is nobody's business but the test's. */
export class RawConnection {
  private received: Buffer = Buffer.alloc(0);
  private ended = false;
  private readonly waiting: (() => void)[] = [];

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      this.received = Buffer.concat([this.received, chunk]);
      this.wake();
    });
    socket.on('close', () => {
      this.ended = true;
      this.wake();
    });
    socket.on('error', () => undefined);
  }

  static async open(baseUrl: string): Promise<RawConnection> {
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new RawConnection(socket);
  }

  get isClosed(): boolean {
    return this.ended;
  }

  /** Resolves once the bytes were handed on or lost, so that a sender can keep pace with the receiver. */
  send(bytes: string | Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.socket.once('close', resolve);
      this.socket.write(bytes, 'latin1', () => {
        this.socket.off('close', resolve);
        resolve();
      });
    });
  }

  /** The next answer; undefined when the server closed without one. */
  async answer({ withoutBody = false } = {}): Promise<RawAnswer | undefined> {
    return this.until(() => {
      const taken = takeAnswer(this.received, withoutBody);
      if (taken) this.received = taken.rest;
      return taken?.answer;
    });
  }

  async closed(): Promise<void> {
    await this.until(() => undefined);
  }

  destroy(): void {
    this.socket.destroy();
  }

  private async until<Value>(look: () => Value | undefined): Promise<Value | undefined> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const value = look();
      if (value !== undefined || this.ended) return value;
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`Nothing more came in ${PATIENCE_MS} ms; so far: ${this.received}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  private wake(): void {
    for (const resume of this.waiting.splice(0)) resume();
  }
}

/** Sends bytes on a connection of their own and gives the first answer. */
export async function exchange(
  baseUrl: string,
  bytes: string | Buffer,
  options?: { withoutBody?: boolean },
): Promise<RawAnswer> {
  const connection = await RawConnection.open(baseUrl);
  try {
    void connection.send(bytes);
    const answer = await connection.answer(options);
    if (!answer) throw new Error('The server closed the connection without an answer.');
    return answer;
  } finally {
    connection.destroy();
  }
}

/** A request as the bytes that stand for it. */
export function rawRequest(requestLine: string, headers: string[] = [], body = ''): string {
  return [requestLine, 'Host: gala.test', ...headers, '', body].join('\r\n');
}

function takeAnswer(bytes: Buffer, withoutBody: boolean): { answer: RawAnswer; rest: Buffer } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const headers: IncomingHttpHeaders = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const bodyless = withoutBody || status < 200 || status === 204 || status === 304;
  const end = headEnd + 4 + (bodyless ? 0 : Number(headers['content-length'] ?? 0));
  if (bytes.length < end) return undefined;
  const text = bytes.subarray(headEnd + 4, end).toString();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { answer: { status, headers, text, body }, rest: bytes.subarray(end) };
}
