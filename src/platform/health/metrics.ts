import { Injectable } from '@nestjs/common';
import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  type CounterConfiguration,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  Registry,
} from 'prom-client';
import { askForMetrics, isWorker } from '../workers/worker';

/** The Prometheus metrics. Labels have few values: route templates, never paths. */
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
    if (isWorker) {
      AggregatorRegistry.setRegistries(this.registry);
      new AggregatorRegistry(); // answers the primary process
    }
  }

  observeRequest(method: string, route: string, status: number, seconds: number): void {
    this.duration.observe({ method, route }, seconds);
    this.requests.inc({ method, route, status });
  }

  /** Creates a module's own metric; names begin with `gala_`. */
  counter<Label extends string>(options: CounterConfiguration<Label>): Counter<Label> {
    return new Counter({ ...options, registers: [this.registry] });
  }

  gauge<Label extends string>(options: GaugeConfiguration<Label>): Gauge<Label> {
    return new Gauge({ ...options, registers: [this.registry] });
  }

  histogram<Label extends string>(options: HistogramConfiguration<Label>): Histogram<Label> {
    return new Histogram({ ...options, registers: [this.registry] });
  }

  /** Includes all workers, if this process is one of several. */
  render(): Promise<string> {
    return isWorker ? askForMetrics() : this.registry.metrics();
  }
}
