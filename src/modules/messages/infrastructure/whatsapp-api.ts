import http from 'node:http';
import https from 'node:https';
import { Injectable } from '@nestjs/common';
import { Configuration } from '../../../platform/config/configuration';
import { packageVersion } from '../../../platform/package-version';
import { SEND_TIMEOUT_MS } from '../application/message-channel';

const VERSION = 'v23.0';
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

export interface ApiAnswer {
  readonly status: number;
  /** Undefined when it is no JSON object. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterMs: number;
}

/** No answer came. Says nothing of the request: its address and headers hold the number and the token. */
export class NoAnswer extends Error {
  constructor(
    /** Whether anything can have left. */
    readonly hasLeft: boolean,
    readonly reason: string,
  ) {
    super(`WhatsApp did not answer: ${reason}`);
  }
}

/** Meta's Graph API, as far as HTTP goes. */
@Injectable()
export class WhatsAppApi {
  private readonly base: string;
  private readonly userAgent = `Gala/${packageVersion()}`;

  constructor({ whatsAppApiUrl }: Configuration) {
    this.base = `${whatsAppApiUrl.href.replace(/\/$/, '')}/${VERSION}`;
  }

  get(path: string, accessToken: string): Promise<ApiAnswer> {
    return this.request('GET', path, accessToken);
  }

  post(path: string, accessToken: string, body: object): Promise<ApiAnswer> {
    return this.request('POST', path, accessToken, JSON.stringify(body));
  }

  private request(method: string, path: string, accessToken: string, body?: string): Promise<ApiAnswer> {
    const url = new URL(`${this.base}${path}`);
    return new Promise((resolve, reject) => {
      let hasLeft = false;
      const request = (url.protocol === 'https:' ? https : http).request(url, {
        method,
        // A kept connection may be closed by the other side just as the request goes out: then nobody could say
        // whether it arrived. A new one for each costs a handshake, and leaves no doubt.
        agent: false,
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
        headers: {
          Accept: 'application/json',
          Authorization: `Bearer ${accessToken}`,
          'User-Agent': this.userAgent,
          ...(body !== undefined && {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(body),
          }),
        },
      });
      const fail = (error: NodeJS.ErrnoException) => reject(new NoAnswer(hasLeft, error.code ?? error.name));
      request.on('socket', (socket) => {
        socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => (hasLeft = true));
      });
      request.on('error', fail).on('response', (response) => {
        read(response).then(
          (bytes) =>
            resolve({
              status: response.statusCode!,
              body: parse(bytes),
              retryAfterMs: retryAfter(response.headers['retry-after']),
            }),
          fail,
        );
      });
      request.end(body);
    });
  }
}

function read(response: http.IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > MAX_ANSWER_BYTES) response.destroy(new Error('The answer is too long.'));
    });
    response.on('end', () => resolve(Buffer.concat(chunks)));
    response.on('error', reject);
    response.on('close', () => reject(Object.assign(new Error(), { code: 'ECONNRESET' })));
  });
}

function parse(bytes: Buffer): ApiAnswer['body'] {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** In seconds, or as a date (RFC 9110 section 10.2.3). */
function retryAfter(text: string | undefined): number {
  if (text === undefined) return 0;
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1000;
  const wait = Date.parse(text) - Date.now();
  return wait > 0 ? wait : 0;
}
