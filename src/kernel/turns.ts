import { RateLimited } from './errors';

interface Bounds {
  /** How much runs at once. */
  readonly atOnce: number;
  /** How much of one key runs at once; absent, as much as there is room for. */
  readonly atOnceEach?: number;
  /** How much waits, of each key and in all. */
  readonly waitingEach: number;
  readonly waiting: number;
  readonly retryAfterSeconds: number;
}

/**
 * Bounds how much of a costly kind of work runs at once. The rest waits, and the keys take turns: one with much to do
 * holds up none with little.
 */
export class Turns {
  /** By key, in the order in which the keys get their turn. */
  private readonly queues = new Map<string, (() => void)[]>();
  private readonly runningOf = new Map<string, number>();
  private running = 0;
  private waiting = 0;

  constructor(private readonly bounds: Bounds) {}

  /** @throws RateLimited when too much waits already */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    if (this.mayRun(key)) this.begin(key);
    else await this.wait(key);
    try {
      return await work();
    } finally {
      this.end(key);
    }
  }

  private mayRun(key: string): boolean {
    const { atOnce, atOnceEach = atOnce } = this.bounds;
    return this.running < atOnce && (this.runningOf.get(key) ?? 0) < atOnceEach;
  }

  private begin(key: string): void {
    this.running++;
    this.runningOf.set(key, (this.runningOf.get(key) ?? 0) + 1);
  }

  /** The turn passes to the next at once, so that work that comes at this moment doesn't get in between. */
  private end(key: string): void {
    this.running--;
    const left = this.runningOf.get(key)! - 1;
    if (left) this.runningOf.set(key, left);
    else this.runningOf.delete(key);
    for (const [next, queue] of this.queues) {
      if (!this.mayRun(next)) continue;
      this.waiting--;
      this.queues.delete(next);
      const start = queue.shift()!;
      if (queue.length > 0) this.queues.set(next, queue);
      this.begin(next);
      // What has arrived meanwhile comes in between.
      setImmediate(start);
      return;
    }
  }

  private wait(key: string): Promise<void> {
    const queue = this.queues.get(key) ?? [];
    const { waiting, waitingEach, retryAfterSeconds } = this.bounds;
    if (this.waiting >= waiting || queue.length >= waitingEach) throw new RateLimited(retryAfterSeconds);
    this.waiting++;
    this.queues.set(key, queue);
    return new Promise((resolve) => queue.push(resolve));
  }
}
