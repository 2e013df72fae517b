import express, { type NextFunction, type Request, type Response } from 'express';
import type { RateLimits } from '../rate-limiting/rate-limits';

const PATHS = /^\/((docs|assets)(\/|$)|openapi\.json$)/;

/**
 * The files that anybody may read, such as the API reference and what pages load. They have a router of their own, because
 * Express compares each request with one path after the other: calls to the API aren't compared with theirs.
 */
export class PublicFiles {
  readonly router = express.Router({ caseSensitive: true, strict: true });

  constructor(private readonly rateLimits: RateLimits) {}

  readonly handle = (request: Request, response: Response, next: NextFunction): void => {
    if (!PATHS.test(request.path)) return next();
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const serve = () => (isRead ? this.router(request, response, next) : next());
    this.rateLimits.countFile(request).then(serve, next);
  };
}
