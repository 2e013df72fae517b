import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Metrics } from '../health/metrics';
import { Logger } from './logger';

/** Writes one line and one observation a request once its answer is out, or its client gone. */
@Injectable()
export class RequestLog {
  constructor(
    private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  watch(request: Request, response: Response): void {
    const startedAt = performance.now();
    response.once('close', () => {
      const milliseconds = performance.now() - startedAt;
      const route = (request.route as { path: string } | undefined)?.path ?? 'none';
      const { principal } = request;
      this.metrics.observeRequest(request.method, route, response.statusCode, milliseconds / 1000);
      this.logger.info(
        {
          requestId: request.id,
          method: request.method,
          route,
          status: response.statusCode,
          ms: Math.round(milliseconds * 10) / 10,
          ...(principal && {
            workspace: principal.workspaceId,
            mode: principal.mode,
            credential: principal.credential.id,
          }),
          ...(!response.writableFinished && { aborted: true }),
        },
        'request',
      );
    });
  }
}
