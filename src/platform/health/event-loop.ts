import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Metrics } from './metrics';

const TICK_MS = 20;
const STALL_MS = 200;

/** When something begins, for `stallSince`. */
export interface Moment {
  /** On the clock of `performance.now()`. */
  readonly at: number;
  readonly stalls: number;
}

/**
 * Notices when the event loop stands still: for more than 200 ms nothing else was done, and so nobody answered. How late
 * it is in general is measured by `perf_hooks` (`nodejs_eventloop_lag_…` in the metrics), which can't tell when that was.
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
      help: 'How often the event loop stood still for more than 200 ms.',
    });
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  now(): Moment {
    return { at: performance.now(), stalls: this.stalls };
  }

  /** For how many milliseconds the loop stood still since then, if it did; of several times the latest. */
  stallSince({ at, stalls }: Moment): number | undefined {
    // What blocked the loop may end, and its answer be out, before the timer gets its turn.
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
