import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Turn } from './fair-turns';
import { hasBody } from './request-input';

/** How long a client may go on sending after it was answered. */
const LINGER_MS = 10_000;
/** What is read of a body that nobody wants: by then its sender could have read the answer for long. */
const MAX_DRAINED_BYTES = 1024 * 1024;

/**
 * An answer may be ready before the request's body is all there: it was refused for its key, or its size. Closing the
 * connection on a client that is still sending would destroy the answer on its way (RFC 9112 section 9.6), so the
 * answer goes out at once and the connection goes on or ends when the client has finished, and is cut when it doesn't.
 */
export class LingeringResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
  /** Follows what the client has yet to take of this answer. */
  answers?: { follow(response: ServerResponse): void };
  /** Ends when the answer is ready. */
  turn?: Turn;

  override end(...parameters: unknown[]): this {
    this.leaveTurn();
    const { req: request } = this;
    if (request.complete || request.destroyed || !hasBody(request)) return this.endNow(parameters);

    const announced = Number(request.headers['content-length'] ?? Infinity);
    if (announced > MAX_DRAINED_BYTES) this.shouldKeepAlive = false;
    const [chunk, encoding] = parameters;
    if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) {
      if (!this.headersSent && !this.hasHeader('Content-Length')) {
        this.setHeader('Content-Length', Buffer.byteLength(chunk));
      }
      this.write(chunk, (typeof encoding === 'string' ? encoding : 'utf8') as BufferEncoding);
      this.answers?.follow(this);
      this.answers = undefined;
    } else {
      this.flushHeaders();
    }
    const finish = () => {
      clearTimeout(timer);
      if (!this.writableEnded) this.endNow([]);
    };
    const cut = () => request.socket.destroy();
    const timer = setTimeout(cut, LINGER_MS).unref();
    let drained = 0;
    request.on('data', (chunk: Buffer) => {
      drained += chunk.length;
      if (drained > MAX_DRAINED_BYTES) cut();
    });
    // A parser that nobody reads from would hold up the rest of the body.
    request.unpipe();
    request.once('end', finish).once('close', finish).resume();
    return this;
  }

  override destroy(error?: Error): this {
    this.leaveTurn();
    return super.destroy(error);
  }

  private endNow(parameters: unknown[]): this {
    super.end(...(parameters as []));
    this.answers?.follow(this);
    return this;
  }

  leaveTurn(): void {
    const { turn } = this;
    this.turn = undefined;
    turn?.leave();
  }
}
