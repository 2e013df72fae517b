import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from './until';

export interface Received {
  headers: IncomingHttpHeaders;
  /** Byte for byte. */
  body: Buffer;
}

/** An HTTP server that keeps what it gets, and answers as it is told. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  /** The tests by which Gala finds out whether the host takes events: not among `received`. */
  readonly verifications: Received[] = [];
  /** Answers one request; 204 when it isn't told otherwise. */
  answer: (response: ServerResponse, count: number) => void = (response) => response.writeHead(204).end();

  answerVerification: typeof this.answer = (response) => response.writeHead(204).end();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const received = { headers: request.headers, body: Buffer.concat(chunks) };
        if (isVerification(received.body)) {
          receiver.verifications.push(received);
          receiver.answerVerification(response, receiver.verifications.length);
          return;
        }
        receiver.received.push(received);
        receiver.answer(response, receiver.received.length);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  /** Waits until it has got that many. */
  async got(count: number): Promise<Received[]> {
    await until(
      () => this.received.length >= count,
      () => `${count} deliveries: ${this.received.length} came`,
    );
    return this.received;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

function isVerification(body: Buffer): boolean {
  const text = body.toString();
  return text.includes('"webhook.test"') && text.includes('"verifiedAt":null');
}
