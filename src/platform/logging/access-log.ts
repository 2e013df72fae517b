import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Identity } from '../../kernel/principal';
import { EventLoop } from '../health/event-loop';
import { Metrics } from '../health/metrics';
import { traceFields } from '../tracing/tracing';
import { Logger } from './logger';
import { readablePath } from './readable-path';

/** A request with a credential that is known here, once its answer is out. Nothing in it is secret or says who a lead is. */
export interface AnsweredRequest {
  /** As the caller has it from `X-Request-Id`: letters, digits and `._-`, up to 128, and perhaps the caller's own choice. */
  readonly requestId: string;
  readonly caller: Identity;
  readonly method: string;
  /** See `readablePath`. */
  readonly path: string;
  /** Null when the client went away before its answer was out. */
  readonly status: number | null;
  readonly milliseconds: number;
}

const STALLED = 'request during which the event loop stood still';
/** Of the requests that a stall held up the first is a warning: there may be hundreds. */
const WARNING_MS = 1000;

/** Writes one line and one observation a request once its answer is out, or its client gone. */
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

  /** For what takes note in no time, and never throws: other requests wait for it. */
  onAnswered(listener: (answered: AnsweredRequest) => void): void {
    this.listeners.push(listener);
  }

  watch(request: Request, response: Response): void {
    const start = this.eventLoop.now();
    // The end of an answer belongs to no request any more.
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
      else this.tellStalled({ ...line, stalledMs: Math.round(stalledMs) });
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

  /** A warning a second, which says how many others have been ordinary lines since the one before. */
  private tellStalled(line: object): void {
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
