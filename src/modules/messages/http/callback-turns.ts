import { Injectable } from '@nestjs/common';
import { RateLimited } from '../../../kernel/errors';
import type { ChannelId } from '../../../kernel/ids';

/** Notifications of one connection that are worked on or wait for it. */
const MAX_NOTIFICATIONS = 50;
/** Updates of all connections that are worked on at once: they leave most of the database pool to others. */
const UPDATES_AT_ONCE = 4;
/** WhatsApp waits for an answer about so long. */
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 10;

/** Shares the work on callbacks among connections: one notification of each at a time, and their updates in turn. */
@Injectable()
export class CallbackTurns {
  private readonly notifications = new Map<ChannelId, { count: number; last: Promise<unknown> }>();
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  /** @throws RateLimited when too many notifications of the connection wait, or this one for too long: WhatsApp repeats them */
  async notification<Result>(connection: ChannelId, work: () => Promise<Result>): Promise<Result> {
    const turn = this.notifications.get(connection) ?? { count: 0, last: Promise.resolve() };
    if (turn.count === MAX_NOTIFICATIONS) throw new RateLimited(RETRY_AFTER_SECONDS);
    turn.count++;
    this.notifications.set(connection, turn);
    const startedAt = performance.now();
    const result = turn.last.then(() => {
      if (performance.now() - startedAt > MAX_WAIT_MS) throw new RateLimited(RETRY_AFTER_SECONDS);
      return work();
    });
    turn.last = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      turn.count--;
      if (turn.count === 0) this.notifications.delete(connection);
    }
  }

  /** Work on one update, as soon as it is its turn. */
  async update(work: () => Promise<void>): Promise<void> {
    if (this.running < UPDATES_AT_ONCE) this.running++;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}
