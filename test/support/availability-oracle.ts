import { addDays, startOfDay } from '../../src/kernel/time-zone';
import type { DayAvailability, Use } from '../../src/modules/calendar/domain/availability';
import type { SpaceView } from '../../src/modules/calendar/domain/space';

const RANKS = ['free', 'visit_only', 'held', 'booked'] as const;
const RANK_OF = { visit: 1, hold: 2, event: 3, block: 3 };
const MAX_ENTRIES = 20_000;

export interface AvailabilityQuestion {
  /** Inclusive days. */
  from: string;
  to: string;
  timeZone: string;
  guests?: number;
}

/** What `availabilityOf` should say, worked out the plain way: each day looks through all uses. Undefined for too much. */
export function expectedAvailability(
  { from, to, timeZone, guests }: AvailabilityQuestion,
  spaces: readonly SpaceView[],
  uses: readonly Use[],
): DayAvailability[] | undefined {
  let entries = 0;
  const days: DayAvailability[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const [start, end] = [startOfDay(timeZone, date), startOfDay(timeZone, addDays(date, 1))];
    days.push({
      date,
      spaces: spaces.map(({ id, name, capacity }) => {
        const those = uses.filter((use) => use.spaceIds.includes(id) && use.from < end && use.to > start);
        entries += those.length;
        const status = RANKS[Math.max(0, ...those.map(({ type }) => RANK_OF[type]))]!;
        return {
          ...{ spaceId: id, name, status, holdIds: [], nextRank: status === 'booked' ? null : 1 },
          eventIds: [...new Set(those.map(({ eventId }) => eventId))],
          fits: guests === undefined || capacity === null ? null : guests <= capacity,
        };
      }),
    });
  }
  return entries > MAX_ENTRIES ? undefined : days;
}
