import { setTimeout as sleep } from 'node:timers/promises';

/** How long an instance may go by what it has read about a credential. */
const LEASE_MS = 500;
/** For timers that fire early and clocks that run at different speeds. */
const MARGIN_MS = 50;

interface Lease<Value> {
  readonly value: Promise<Value>;
  readonly begins: number;
  readonly beginsOnWall: number;
}

/**
 * What was read from the database not long ago. A lease begins before its reading: so it outlives a change that it
 * doesn't know of by no more than its length, however slow the answer was. Those who read at once share one reading.
 */
export class ShortLivedCache<Value> {
  /** In the order of their beginnings, and so of their ends. */
  private readonly leases = new Map<string, Lease<Value>>();

  /** What was read not long ago or is being read; undefined if that has to be done anew. */
  recall(key: string): Promise<Value> | undefined {
    const known = this.leases.get(key);
    return known && !hasEnded(known, performance.now()) ? known.value : undefined;
  }

  read(key: string, readAnew: () => Promise<Value>): Promise<Value> {
    const known = this.recall(key);
    if (known) return known;
    const now = performance.now();
    this.leases.delete(key);
    for (const [oldest, lease] of this.leases) {
      if (!hasEnded(lease, now)) break;
      this.leases.delete(oldest);
    }
    const lease = { begins: now, beginsOnWall: Date.now(), value: readAnew() };
    this.leases.set(key, lease);
    lease.value.catch(() => this.leases.get(key) === lease && this.leases.delete(key));
    return lease.value;
  }
}

/** To await between a change’s commit and its answer: from then on no instance goes by what was before. */
export async function waitForExpiry(): Promise<void> {
  await sleep(LEASE_MS + MARGIN_MS);
}

/** By two clocks: one can't be set back, the other goes on while the machine sleeps. */
function hasEnded({ begins, beginsOnWall }: Lease<unknown>, now: number): boolean {
  return now - begins >= LEASE_MS || Math.abs(Date.now() - beginsOnWall) >= LEASE_MS;
}
