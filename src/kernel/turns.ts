import { RateLimited } from './errors';

interface Bounds {
  /** How many pieces of work run at once. */
  readonly atOnce: number;
  /** How many of one key run at once; `atOnce` by default. */
  readonly atOnceEach?: number;
  /** How many may wait, of each key and in all. */
  readonly waitingEach: number;
  readonly waiting: number;
  readonly retryAfterSeconds: number;
  /** How long a piece waits before it is refused; without end by default. */
  readonly patienceMs?: number;
}

interface Waiter {
  readonly start: () => void;
  giveUp?: NodeJS.Timeout;
}

/**
 * Bounds how many pieces of a costly kind of work run at once. The others wait, and the keys take turns: a key with much
 * work doesn't delay one with little.
 */
export class Turns {
  /** By key, in the order of the keys' turns. */
  private readonly queues = new Map<string, Waiter[]>();
  private readonly runningOf = new Map<string, number>();
  private running = 0;
  private waiting = 0;

  constructor(private readonly bounds: Bounds) {}

  /** @throws RateLimited when too many pieces wait already, or when this one has waited for too long */
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

  /** Passes the turn on at once, so that work which arrives meanwhile can't take it. */
  private end(key: string): void {
    this.running--;
    const left = this.runningOf.get(key)! - 1;
    if (left) this.runningOf.set(key, left);
    else this.runningOf.delete(key);
    for (const [next, queue] of this.queues) {
      if (!this.mayRun(next)) continue;
      this.waiting--;
      this.queues.delete(next);
      const { start, giveUp } = queue.shift()!;
      clearTimeout(giveUp);
      if (queue.length > 0) this.queues.set(next, queue);
      this.begin(next);
      // Lets requests that have arrived meanwhile run first.
      setImmediate(start);
      return;
    }
  }

  private wait(key: string): Promise<void> {
    const queue = this.queues.get(key) ?? [];
    const { waiting, waitingEach, retryAfterSeconds, patienceMs } = this.bounds;
    if (this.waiting >= waiting || queue.length >= waitingEach) throw new RateLimited(retryAfterSeconds);
    this.waiting++;
    this.queues.set(key, queue);
    return new Promise((start, refuse) => {
      const waiter: Waiter = { start };
      if (patienceMs !== undefined) {
        waiter.giveUp = setTimeout(() => {
          this.remove(key, waiter);
          refuse(new RateLimited(retryAfterSeconds));
        }, patienceMs);
      }
      queue.push(waiter);
    });
  }

  private remove(key: string, waiter: Waiter): void {
    const queue = this.queues.get(key)!;
    queue.splice(queue.indexOf(waiter), 1);
    if (queue.length === 0) this.queues.delete(key);
    this.waiting--;
  }
}
