import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { RateLimits } from '../rate-limiting/rate-limits';
import { CredentialVerifiers } from './credential-verifier';

/** The paths that web pages of other origins may call: the API, and the OAuth endpoints that public clients use. */
const SHARED_PATHS = /^\/(v1(\/|$)|oauth\/(token|revoke)$|\.well-known\/oauth-authorization-server$)/;

/** Browsers keep the answer to a preflight for at most two hours. */
const PREFLIGHT_SECONDS = 7200;
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const REQUEST_HEADERS = [
  ...['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match'],
  ...['X-Request-Id', 'Traceparent', 'Tracestate'],
].join(', ');
const EXPOSED_HEADERS = [
  ...['Deprecation', 'ETag', 'Idempotency-Replayed', 'Link', 'Location', 'Retry-After', 'Sunset'],
  ...['WWW-Authenticate', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-Id'],
].join(', ');

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';

/**
 * Lets web pages of registered origins read responses, errors included (CORS: https://fetch.spec.whatwg.org/#http-cors-protocol).
 * A preflight carries no token, so that any registered origin passes it. The response itself is for origins that the
 * token allows: `keepToOrigins` takes the header away from all others. Cookies are never allowed.
 */
@Injectable()
export class CrossOrigin {
  constructor(
    private readonly verifiers: CredentialVerifiers,
    private readonly rateLimits: RateLimits,
  ) {}

  readonly handle = (request: Request, response: Response, next: NextFunction): void => {
    if (!SHARED_PATHS.test(request.path)) return next();
    const { origin } = request.headers;
    // Without an Origin too: a cache would give that response to web pages, which can't read it.
    response.vary('Origin');
    if (origin === undefined) return next();
    this.receive(request, response, origin).then((isAnswered) => isAnswered || next(), next);
  };

  /** Resolves to whether the request is answered. */
  private async receive(request: Request, response: Response, origin: string): Promise<boolean> {
    if (!(await this.verifiers.admitOrigin(origin, tokenOf(request)))) return false;
    response.setHeader(ALLOW_ORIGIN, origin);
    if (!isPreflight(request)) {
      response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
      return false;
    }
    await this.rateLimits.countPreflight(request);
    response.set({
      'Access-Control-Allow-Methods': METHODS,
      'Access-Control-Allow-Headers': REQUEST_HEADERS,
      'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
    });
    response.status(204).end();
    return true;
  }
}

/** Keeps the response from web pages of any other origin than these. */
export function keepToOrigins({ headers: { origin }, res }: Request, allowed: readonly string[] = []): void {
  if (origin !== undefined && !allowed.includes(origin)) res!.removeHeader(ALLOW_ORIGIN);
}

function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** Undefined without credentials; the empty text, which is no token, for credentials of another scheme. */
function tokenOf({ headers: { authorization } }: Request): string | undefined {
  return authorization === undefined ? undefined : (/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '');
}
