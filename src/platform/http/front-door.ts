import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { causedByCaller } from '../../kernel/current-cause';
import { BadRequest } from '../../kernel/errors';
import { Configuration } from '../config/configuration';
import { addressOf, routeOf } from '../config/public-address';
import { AccessLog } from '../logging/access-log';
import { RateLimits } from '../rate-limiting/rate-limits';
import { traceRequest } from '../tracing/tracing';
import { AnswersUnderWay } from './answers-under-way';
import { dropForwardedPorts } from './client-address';
import { hasUnmetExpectation } from './malformed-requests';
import { countHeader } from './request-input';

const WELL_FORMED_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
const HEALTH_PATHS = /^\/health(\/|$)/;

/** What happens to every request before it is routed: it gets its id, is logged, its answer is counted, and plain HTTP is sent to HTTPS. */
@Injectable()
export class FrontDoor {
  private readonly publicUrl: URL;

  constructor(
    { publicUrl }: Configuration,
    private readonly accessLog: AccessLog,
    private readonly rateLimits: RateLimits,
    private readonly answers: AnswersUnderWay,
  ) {
    this.publicUrl = publicUrl;
  }

  readonly handle = (request: Request, response: Response, next: NextFunction): void => {
    dropForwardedPorts(request);
    request.url = request.originalUrl = routeOf(this.publicUrl, request.url);
    const isHealthCheck = HEALTH_PATHS.test(request.path);
    // Health checks come every few seconds and would bury the rest.
    if (isHealthCheck) this.receive(request, response, next, isHealthCheck);
    else traceRequest(request, response, () => this.receive(request, response, next, isHealthCheck));
  };

  private receive(request: Request, response: Response, next: NextFunction, isHealthCheck: boolean): void {
    const givenId = request.headers['x-request-id'];
    request.id = typeof givenId === 'string' && WELL_FORMED_REQUEST_ID.test(givenId) ? givenId : randomUUID();
    response.setHeader('X-Request-Id', request.id);
    response.answers = this.answers;
    this.accessLog.watch(request, response);
    if (this.publicUrl.protocol === 'https:' && request.protocol !== 'https' && !isHealthCheck) {
      this.redirect(request, response).catch(next);
      return;
    }
    try {
      refuseMalformed(request);
    } catch (error) {
      this.rateLimits.stampAddress(response, request.ip).then(() => next(error), next);
      return;
    }
    request.url = routableUrl(request.url);
    if (READS.has(request.method)) next();
    else causedByCaller(next);
  }

  /** To the configured address, never to the one the Host header names. */
  private async redirect(request: Request, response: Response): Promise<void> {
    await this.rateLimits.stampAddress(response, request.ip);
    const target = request.originalUrl.startsWith('/') ? request.originalUrl : '/';
    const location = addressOf(this.publicUrl, target);
    response.writeHead(301, { Location: location, 'Content-Length': 0 }).end();
  }
}

/** What Node's server, as it is set up here, accepts and HTTP doesn't (RFC 9112 sections 3.2 and 6.1, RFC 9110 section 10.1.1). */
function refuseMalformed(request: Request): void {
  const hosts = countHeader(request, 'host');
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) {
    throw new BadRequest('Send exactly one Host header.');
  }
  const coding = request.headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw new BadRequest('The only Transfer-Encoding accepted is chunked.');
  }
  if (hasUnmetExpectation(request)) {
    throw new BadRequest('The only expectation that can be met is 100-continue.');
  }
}

/**
 * A path segment that can't be decoded is passed on as the literal text it is, so that the request goes the way of
 * every other (its key is checked first) and ends as an unknown id or path.
 */
function routableUrl(url: string): string {
  const queryStart = url.indexOf('?');
  const path = queryStart === -1 ? url : url.slice(0, queryStart);
  if (!path.includes('%') || isDecodable(path)) return url;
  const segments = path
    .split('/')
    .map((segment) => (isDecodable(segment) ? segment : segment.replaceAll('%', '%25')));
  return segments.join('/') + url.slice(path.length);
}

export function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
