import type { DomainEvent } from '../../../kernel/domain-event';
import type { HoldId } from '../../../kernel/ids';
import type { Hold } from './hold';
import type { HoldQueue } from './hold-queue';

/** Limits the work of one call, since each end tells of all that overlap the hold. */
export const MOST_EVENTS = 500;

/**
 * Does what is due to these holds: ends them in the order of their deadlines, then announces the deadlines of others. The
 * end of a hold can give another one a deadline that has passed as well. That one is left to the next call, and with it all
 * that is due later. The rest is left to it too once there are MOST_EVENTS.
 *
 * @param ids those that are due first, at least
 */
export function settle(queue: HoldQueue, ids: readonly HoldId[], now: Date): DomainEvent[] {
  const holds = ids.map((id) => queue.get(id)).filter((hold) => hold !== undefined);
  const asked = new Set(holds);
  const events: DomainEvent[] = [];
  let until = now;
  for (let hold = first(holds, until); hold; hold = first(holds, until)) {
    if (events.length >= MOST_EVENTS) return events;
    const lapsing = hold;
    const lapse = {
      at: hold.dueAt,
      subjects: [hold],
      type: 'hold.expired',
      apply: () => lapsing.lapse(),
    };
    const others = queue.rivals(hold).filter((other) => !asked.has(other));
    events.push(...queue.act(lapse));
    for (const { dueAt } of others) if (dueAt < until) until = dueAt;
  }
  if (until < now) return events;
  const reminded = holds.filter(({ isLive, nextAt }) => isLive && nextAt! <= now);
  return events.concat(...reminded.map((hold) => queue.remind(hold)));
}

/** The live hold with the earliest deadline, by position if several have it. */
function first(holds: readonly Hold[], until: Date): Hold | undefined {
  return holds
    .filter(({ isLive, dueAt }) => isLive && dueAt <= until)
    .reduce<Hold | undefined>((earliest, hold) => {
      if (!earliest) return hold;
      const later = hold.dueAt.getTime() - earliest.dueAt.getTime() || hold.position - earliest.position;
      return later < 0 ? hold : earliest;
    }, undefined);
}
