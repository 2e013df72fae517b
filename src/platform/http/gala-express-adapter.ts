import http, { IncomingMessage, type RequestListener } from 'node:http';
import https from 'node:https';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { NestApplicationOptions } from '@nestjs/common';
import express, { type Express, type Response } from 'express';
import { entityTag } from '../../kernel/precondition';
import { inOrder } from './in-order';
import { LingeringResponse } from './lingering-response';
import { WholeAnswer } from './whole-answer';

/** Longer than the minute that proxies usually keep a connection for: it is theirs to end it. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Neither reading nor writing, in the middle of something. */
const SILENCE_MS = 60_000;
/** Above what one proxy opens; below the files that a process may usually have open. */
const MAX_CONNECTIONS = 20_000;

const SERVER_OPTIONS = {
  headersTimeout: 20_000,
  /** For the upload of a file as a whole. Other bodies have a minute: `ArrivingBody`. */
  requestTimeout: 15 * 60_000,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  connectionsCheckingInterval: 5_000,
  // Answered by our own pipeline, in the envelope.
  requireHostHeader: false,
};

/**
 * Express changes the prototype of every request and response, which throws V8 off its fast path. Here both are made
 * with the right prototype to begin with, so that Express's change changes nothing: a third more requests a second.
 */
export class GalaExpressAdapter extends ExpressAdapter {
  /** @param basePath what stands before every path for clients, such as `/gala`, or nothing */
  constructor(private readonly basePath: string) {
    const app = express();
    app.disable('x-powered-by');
    app.disable('etag');
    app.enable('case sensitive routing');
    app.enable('strict routing');
    super(app);
  }

  /**
   * Single objects carry the tag that says which state of them was read, unless the answer shows what no
   * later one will, or is an earlier one again.
   */
  override reply(response: Response, body: unknown, status?: number): unknown {
    const showsState =
      response.getHeader('Cache-Control') !== 'no-store' && !response.hasHeader('Idempotency-Replayed');
    if (isSingleObject(body) && showsState) {
      response.setHeader('ETag', entityTag(body));
    }
    // The specification has no 304: Express would answer it to those who have this state, or any.
    delete response.req.headers['if-none-match'];
    if (body instanceof WholeAnswer) return body.send(response);
    this.locate(response);
    return super.reply(response, body, status);
  }

  override initHttpServer(options: NestApplicationOptions): void {
    const app = this.getInstance<Express>();
    const serverOptions = { ...SERVER_OPTIONS, ...expressMessageClasses(app) };
    const handle = inOrder(app as RequestListener);
    this.httpServer = options.httpsOptions
      ? https.createServer({ ...serverOptions, ...options.httpsOptions }, handle)
      : http.createServer(serverOptions, handle);
    this.httpServer.timeout = SILENCE_MS;
    this.httpServer.maxConnections = MAX_CONNECTIONS;
  }

  /** Controllers name paths of the service in `Location`; clients get the paths under which they reach them. */
  private locate(response: Response): void {
    const location = response.getHeader('Location');
    if (typeof location === 'string' && /^\/(?!\/)/.test(location)) {
      response.setHeader('Location', this.basePath + location);
    }
  }
}

/** An object has an id, or, such as a stage, a key and a revision that isn't shown. */
function isSingleObject(body: unknown): body is object {
  return typeof body === 'object' && body !== null && ('id' in body || 'revision' in body);
}

function expressMessageClasses(app: Express) {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage> extends LingeringResponse<Request> {}
  const inherit = (target: object, source: object, omitted: string[] = []): void => {
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(source))) {
      if (!omitted.includes(name)) Object.defineProperty(target, name, property);
    }
    Object.defineProperty(target, 'app', { value: app });
  };
  // The getter `query` gives way to a plain property, which the request input guard fills.
  inherit(ExpressRequest.prototype, express.request, ['query']);
  inherit(ExpressResponse.prototype, express.response);
  app.request = ExpressRequest.prototype as typeof app.request;
  app.response = ExpressResponse.prototype as unknown as typeof app.response;
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
