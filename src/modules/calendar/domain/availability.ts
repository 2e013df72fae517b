import { ValidationFailed } from '../../../kernel/errors';
import type { CalendarEventId, HoldId, SpaceId } from '../../../kernel/ids';
import { slices } from '../../../kernel/slices';
import { addDays, startOfDay } from '../../../kernel/time-zone';
import type { EventType } from './calendar-event';
import type { Occupancy } from './occupancy';
import type { SpaceView } from './space';

/** In ascending order: the last one that applies to a day counts. */
export const AVAILABILITIES = ['free', 'visit_only', 'held', 'booked'] as const;
export type Availability = (typeof AVAILABILITIES)[number];

const MEANING: Record<EventType, Availability> = {
  visit: 'visit_only',
  hold: 'held',
  event: 'booked',
  block: 'booked',
};

/** The most entries of a response. A use is one entry for each of its spaces on each of its days. */
export const MAX_ENTRIES = 20_000;

/** An event in spaces. Set-up and clearing are included if it has the spaces for itself. */
export interface Use {
  readonly eventId: CalendarEventId;
  readonly type: EventType;
  /** May include spaces that weren't requested. */
  readonly spaceIds: readonly SpaceId[];
  readonly from: Date;
  readonly to: Date;
}

/** The time in a space that a live ranked hold asks for, set-up and clearing included. */
export interface HeldTime extends Occupancy {
  readonly holdId: HoldId;
}

export interface HeldTimes {
  /** First in the queue first. */
  readonly times: readonly HeldTime[];
  /** The longest queue. */
  readonly maxRank: number;
}

export const NO_HOLDS: HeldTimes = { times: [], maxRank: Infinity };

export interface SpaceOnDay {
  spaceId: SpaceId;
  name: string;
  status: Availability;
  /** Null if no number of guests was requested, or the space’s capacity isn’t known. */
  fits: boolean | null;
  eventIds: CalendarEventId[];
  /** Ranked holds on some part of the day, first in the queue first. */
  holdIds: HoldId[];
  /** The rank of a hold for the whole day; null when it would be refused. */
  nextRank: number | null;
}

export interface DayAvailability {
  date: string;
  spaces: SpaceOnDay[];
}

export interface Day {
  readonly date: string;
  /** Unix milliseconds; the next day starts at `end`. */
  readonly start: number;
  readonly end: number;
}

/**
 * The availability of each space on each day. The cost grows with the uses, the days that they cover, and spaces times days:
 * each use is assigned to its days directly, instead of each day searching all uses. Other requests get their turn in
 * between.
 */
export async function availabilityOf(
  days: readonly Day[],
  spaces: readonly SpaceView[],
  uses: readonly Use[],
  guests?: number,
  { times, maxRank }: HeldTimes = NO_HOLDS,
): Promise<DayAvailability[]> {
  const pause = slices();
  const usesOf = new Map(spaces.map(({ id }) => [id, days.map((): Use[] => [])]));
  let entries = 0;
  for (const use of uses) {
    const [start, end] = [use.from.getTime(), use.to.getTime()];
    const spacesUsed = use.spaceIds.map((id) => usesOf.get(id)).filter((each) => each !== undefined);
    for (let day = firstDayEndingAfter(days, start); day < days.length && days[day]!.start < end; day++) {
      if ((entries += spacesUsed.length) > MAX_ENTRIES) throw tooManyEntries();
      for (const usesOnDay of spacesUsed) usesOnDay[day]!.push(use);
    }
    await pause();
  }
  const holdsOf = new Map(spaces.map(({ id }) => [id, days.map((): HoldId[] => [])]));
  for (const { spaceId, holdId, from, to } of times) {
    const [start, end] = [from.getTime(), to.getTime()];
    for (let day = firstDayEndingAfter(days, start); day < days.length && days[day]!.start < end; day++) {
      if (++entries > MAX_ENTRIES) throw tooManyEntries();
      holdsOf.get(spaceId)![day]!.push(holdId);
    }
    await pause();
  }
  const answer: DayAvailability[] = [];
  for (const [day, { date }] of days.entries()) {
    const onDay = spaces.map(({ id, name, capacity }) => {
      const fits = guests === undefined || capacity === null ? null : guests <= capacity;
      const standing = statusOf(usesOf.get(id)![day]!);
      const holdIds = holdsOf.get(id)![day]!;
      const isOpen = standing.status !== 'booked' && holdIds.length < maxRank;
      return { spaceId: id, name, ...standing, fits, holdIds, nextRank: isOpen ? holdIds.length + 1 : null };
    });
    answer.push({ date, spaces: onDay });
    await pause();
  }
  return answer;
}

/** Both included. */
export function daysOf(from: string, to: string, timeZone: string): Day[] {
  const days: Day[] = [];
  let start = startOfDay(timeZone, from).getTime();
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const end = startOfDay(timeZone, addDays(date, 1)).getTime();
    days.push({ date, start, end });
    start = end;
  }
  return days;
}

/** The index of the first day that ends after the instant; the number of days when none does. */
function firstDayEndingAfter(days: readonly Day[], instant: number): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (days[middle]!.end > instant) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function tooManyEntries(): ValidationFailed {
  return new ValidationFailed({
    field: 'to',
    message: `takes in more than ${MAX_ENTRIES} entries: ask for fewer days, or for one space`,
  });
}

function statusOf(uses: readonly Use[]): Pick<SpaceOnDay, 'status' | 'eventIds'> {
  if (uses.length === 0) return { status: 'free', eventIds: [] };
  const ranks = uses.map(({ type }) => AVAILABILITIES.indexOf(MEANING[type]));
  return {
    status: AVAILABILITIES[Math.max(0, ...ranks)]!,
    eventIds: [...new Set(uses.map(({ eventId }) => eventId))],
  };
}
