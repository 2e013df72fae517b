import { RateLimited } from './errors';

interface Bounds {
  /** How much runs at once. */
  readonly atOnce: number;
  /** How much waits, of each key and in all. */
  readonly waitingEach: number;
  readonly waiting: number;
  readonly retryAfterSeconds: number;
}

/**
 * Bounds how much of a costly kind of work runs at once. The rest waits, and gets its turn by turns of the keys: whoever has
 * much to do holds up nobody who has little.
 */
export class Turns {
  /** By key, in the order in which the keys get their turn. */
  private readonly queues = new Map<string, (() => void)[]>();
  private running = 0;
  private waiting = 0;

  constructor(private readonly bounds: Bounds) {}

  /** @throws RateLimited when too much waits already */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    if (this.running < this.bounds.atOnce) this.running++;
    else await this.wait(key);
    try {
      return await work();
    } finally {
      // A turn is handed on, so that nobody who comes at this moment gets in between.
      const next = this.next();
      if (next) next();
      else this.running--;
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

  private next(): (() => void) | undefined {
    const [first] = this.queues;
    if (!first) return undefined;
    const [key, queue] = first;
    const next = queue.shift();
    this.waiting--;
    this.queues.delete(key);
    if (queue.length > 0) this.queues.set(key, queue);
    return next;
  }
}
