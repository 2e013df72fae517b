import { ValidationFailed } from '../../../kernel/errors';
import type { CalendarEventId, SpaceId } from '../../../kernel/ids';
import { addDays, startOfDay } from '../../../kernel/time-zone';
import type { EventType } from './calendar-event';
import type { SpaceView } from './space';

/** From what leaves a space free to what takes it: the last that applies to a day counts. */
export const AVAILABILITIES = ['free', 'visit_only', 'held', 'booked'] as const;
export type Availability = (typeof AVAILABILITIES)[number];

const MEANING: Record<EventType, Availability> = {
  visit: 'visit_only',
  hold: 'held',
  event: 'booked',
  block: 'booked',
};

/** Of all days and spaces together: what an answer can hold. */
const MAX_ENTRIES = 20_000;

/** Something that is planned in a space; of what takes the space, with set-up and clearing. */
export interface Use {
  readonly eventId: CalendarEventId;
  readonly type: EventType;
  readonly spaceId: SpaceId;
  readonly from: Date;
  readonly to: Date;
}

export interface SpaceOnDay {
  spaceId: SpaceId;
  name: string;
  status: Availability;
  /** Null when nobody asked, or the space’s capacity isn’t known. */
  fits: boolean | null;
  eventIds: CalendarEventId[];
}

export interface DayAvailability {
  date: string;
  spaces: SpaceOnDay[];
}

export interface AvailabilityQuestion {
  /** Inclusive days. */
  from: string;
  to: string;
  timeZone: string;
  guests?: number;
}

/** How each space stands on each day. */
export function availabilityOf(
  { from, to, timeZone, guests }: AvailabilityQuestion,
  spaces: readonly SpaceView[],
  uses: readonly Use[],
): DayAvailability[] {
  const bySpace = new Map(spaces.map(({ id }) => [id, uses.filter(({ spaceId }) => spaceId === id)]));
  const days: DayAvailability[] = [];
  let entries = 0;
  let start = startOfDay(timeZone, from);
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const end = startOfDay(timeZone, addDays(date, 1));
    days.push({
      date,
      spaces: spaces.map(({ id, name, capacity }) => {
        const those = bySpace.get(id)!.filter((use) => use.from < end && use.to > start);
        if ((entries += those.length) > MAX_ENTRIES) throw tooMuch();
        const fits = guests === undefined || capacity === null ? null : guests <= capacity;
        return { spaceId: id, name, ...statusOf(those), fits };
      }),
    });
    start = end;
  }
  return days;
}

function tooMuch(): ValidationFailed {
  return new ValidationFailed({
    field: 'to',
    message: `takes in more than ${MAX_ENTRIES} entries: ask for fewer days, or for one space`,
  });
}

function statusOf(uses: readonly Use[]): Pick<SpaceOnDay, 'status' | 'eventIds'> {
  const ranks = uses.map(({ type }) => AVAILABILITIES.indexOf(MEANING[type]));
  return {
    status: AVAILABILITIES[Math.max(0, ...ranks)]!,
    eventIds: [...new Set(uses.map(({ eventId }) => eventId))],
  };
}
