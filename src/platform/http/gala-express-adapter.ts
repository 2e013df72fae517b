import http, { IncomingMessage } from 'node:http';
import https from 'node:https';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { NestApplicationOptions } from '@nestjs/common';
import express, { type Express, type Response } from 'express';
import { entityTag } from '../../kernel/precondition';
import { LingeringResponse } from './lingering-response';

/** How long an upload may take as a whole, and how long its client may sit silent on a finished connection. */
const REQUEST_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

const SERVER_OPTIONS = {
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  // Answered by our own pipeline, in the envelope.
  requireHostHeader: false,
};

/**
 * Express changes the prototype of every request and response, which throws V8 off its fast path. Here both are made
 * with the right prototype to begin with, so that Express's change changes nothing: a third more requests a second.
 */
export class GalaExpressAdapter extends ExpressAdapter {
  constructor() {
    const app = express();
    app.disable('x-powered-by');
    app.disable('etag');
    app.enable('case sensitive routing');
    app.enable('strict routing');
    super(app);
  }

  /** Single objects carry the tag that says which state of them was read, unless the answer shows what no later one will. */
  override reply(response: Response, body: unknown, status?: number): unknown {
    if (isSingleObject(body) && response.getHeader('Cache-Control') !== 'no-store') {
      response.setHeader('ETag', entityTag(body));
    }
    return super.reply(response, body, status);
  }

  override initHttpServer(options: NestApplicationOptions): void {
    const app = this.getInstance<Express>();
    const serverOptions = { ...SERVER_OPTIONS, ...expressMessageClasses(app) };
    this.httpServer = options.httpsOptions
      ? https.createServer({ ...serverOptions, ...options.httpsOptions }, app)
      : http.createServer(serverOptions, app);
  }
}

function isSingleObject(body: unknown): body is { id: string } {
  return typeof body === 'object' && body !== null && 'id' in body;
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
