import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/** What Prometheus reads. Labels are bounded: route templates, never paths. */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  private readonly duration = new Histogram({
    name: 'gala_http_request_duration_seconds',
    help: 'Time from a request’s first byte to the end of its answer.',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });
  private readonly requests = new Counter({
    name: 'gala_http_requests_total',
    help: 'Requests answered, by status.',
    labelNames: ['method', 'route', 'status'],
    registers: [this.registry],
  });
  readonly contentType = this.registry.contentType;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  observeRequest(method: string, route: string, status: number, seconds: number): void {
    this.duration.observe({ method, route }, seconds);
    this.requests.inc({ method, route, status });
  }

  render(): Promise<string> {
    return this.registry.metrics();
  }
}
