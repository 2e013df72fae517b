import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Identity } from '../../kernel/principal';
import { EventLoop } from '../health/event-loop';
import { Metrics } from '../health/metrics';
import { traceFields } from '../tracing/tracing';
import { Logger } from './logger';
import { readablePath } from './readable-path';

/** An answered request with a known credential. Contains no secrets or personal data of leads. */
export interface AnsweredRequest {
  /** The `X-Request-Id`, possibly chosen by the caller: up to 128 letters, digits and `._-`. */
  readonly requestId: string;
  readonly caller: Identity;
  readonly method: string;
  /** See `readablePath`. */
  readonly path: string;
  /** Null if the client disconnected before the response was sent. */
  readonly status: number | null;
  readonly milliseconds: number;
}

const STALLED = 'request during an event loop stall';
/** At most one warning in this time: a stall may delay hundreds of requests. */
const WARNING_MS = 1000;

/** Logs and measures each request when its response has been sent or its client has disconnected. */
@Injectable()
export class AccessLog {
  private readonly listeners: ((answered: AnsweredRequest) => void)[] = [];
  private warnedAt = -Infinity;
  private leftOut = 0;

  constructor(
    private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly eventLoop: EventLoop,
  ) {}

  /** The listener must be fast and never throw, because other requests wait for it. */
  onAnswered(listener: (answered: AnsweredRequest) => void): void {
    this.listeners.push(listener);
  }

  watch(request: Request, response: Response): void {
    const start = this.eventLoop.now();
    // The trace context is gone when the response closes.
    const trace = traceFields();
    response.once('close', () => {
      const elapsed = performance.now() - start.at;
      const stalledMs = this.eventLoop.stallSince(start);
      const milliseconds = Math.round(elapsed * 10) / 10;
      const route = (request.route as { path: string } | undefined)?.path ?? 'none';
      const { principal } = request;
      this.metrics.observeRequest(request.method, route, response.statusCode, elapsed / 1000);
      const line = {
        requestId: request.id,
        method: request.method,
        route,
        status: response.statusCode,
        ms: milliseconds,
        ...(principal && {
          workspace: principal.workspaceId,
          mode: principal.mode,
          credential: principal.credential.id,
        }),
        ...trace,
        ...(!response.writableFinished && { aborted: true }),
      };
      if (stalledMs === undefined) this.logger.info(line, 'request');
      else this.logStalled({ ...line, stalledMs: Math.round(stalledMs) });
      if (!principal || this.listeners.length === 0) return;
      const answered: AnsweredRequest = {
        requestId: request.id,
        caller: principal,
        method: request.method,
        path: readablePath(route, request.params),
        status: response.writableFinished ? response.statusCode : null,
        milliseconds,
      };
      for (const listener of this.listeners) listener(answered);
    });
  }

  /** Logs at most one warning a second. It counts the requests since the previous one that were logged as info. */
  private logStalled(line: object): void {
    const now = performance.now();
    if (now - this.warnedAt < WARNING_MS) {
      this.leftOut++;
      this.logger.info(line, STALLED);
      return;
    }
    this.logger.warn({ ...line, ...(this.leftOut > 0 && { leftOut: this.leftOut }) }, STALLED);
    this.warnedAt = now;
    this.leftOut = 0;
  }
}
