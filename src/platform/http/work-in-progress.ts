import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Overloaded } from '../../kernel/errors';
import { Configuration } from '../config/configuration';
import { Metrics } from '../health/metrics';
import { hasBody } from './request-input';

/**
 * Bounds the requests that are worked on at once. One whose body is being read isn't, nor is one whose answer is on its
 * way: slow clients take no one's place. A body that nobody reads changes nothing.
 */
@Injectable()
export class WorkInProgress {
  private readonly limit: number;
  private readonly refused;
  private count = 0;

  constructor({ maxConcurrentRequests }: Configuration, metrics: Metrics) {
    this.limit = maxConcurrentRequests;
    this.refused = metrics.counter({
      name: 'gala_http_requests_shed_total',
      help: 'Requests refused because too many others were being worked on.',
    });
  }

  /** @throws Overloaded */
  admit(request: Request, response: Response): void {
    if (this.count >= this.limit) {
      this.refused.inc();
      throw new Overloaded();
    }
    let isCounted = false;
    const begin = () => {
      if (isCounted || response.writableEnded) return;
      isCounted = true;
      this.count++;
    };
    const end = () => {
      if (isCounted) this.count--;
      isCounted = false;
    };
    begin();
    if (hasBody(request)) request.once('resume', end).once('end', begin);
    response.once('prefinish', end).once('close', end);
  }
}
