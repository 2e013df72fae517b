import { setTimeout as sleep } from 'node:timers/promises';
import type { BackgroundJob } from './background-jobs';

/** Runs work at once, and again each time the interval has passed since the last run succeeded or failed. */
export class PeriodicWork implements BackgroundJob {
  private readonly stopping = new AbortController();
  private running?: Promise<void>;

  /** @param work should end soon after the signal aborts */
  constructor(
    private readonly work: (signal: AbortSignal) => Promise<void>,
    private readonly intervalMs: number,
    private readonly failed: (error: unknown) => void,
  ) {}

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.work(signal).catch(this.failed);
      await sleep(this.intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
