import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Metrics } from './metrics';

const TICK_MS = 20;
const STALL_MS = 200;

/** The start of an operation, for `stallSince`. */
interface Moment {
  /** As returned by `performance.now()`. */
  readonly at: number;
  readonly stalls: number;
}

/**
 * Detects event loop stalls: more than 200 ms during which no request was answered. `perf_hooks` measures the delay in general
 * (`nodejs_eventloop_lag_…` in the metrics), but not when a stall happened.
 */
@Injectable()
export class EventLoop implements OnApplicationShutdown {
  private readonly timer = setInterval(() => this.tick(), TICK_MS).unref();
  private readonly counter: Counter;
  private dueAt = performance.now() + TICK_MS;
  private stalls = 0;
  private latest = { from: 0, to: 0 };

  constructor(metrics: Metrics) {
    this.counter = metrics.counter({
      name: 'gala_event_loop_stalls_total',
      help: 'Times that the event loop was blocked for more than 200 ms.',
    });
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  now(): Moment {
    return { at: performance.now(), stalls: this.stalls };
  }

  /** The duration in milliseconds of the latest stall since then, if there was one. */
  stallSince({ at, stalls }: Moment): number | undefined {
    // The blocking code may end, and its answer be sent, before the timer runs.
    const unnoticed = performance.now() - Math.max(at, this.dueAt);
    if (unnoticed > STALL_MS) return unnoticed;
    if (this.stalls === stalls) return undefined;
    const noticed = this.latest.to - Math.max(at, this.latest.from);
    return noticed > STALL_MS ? noticed : undefined;
  }

  private tick(): void {
    const now = performance.now();
    if (now - this.dueAt > STALL_MS) {
      this.stalls++;
      this.latest = { from: this.dueAt, to: now };
      this.counter.inc();
    }
    this.dueAt = now + TICK_MS;
  }
}
