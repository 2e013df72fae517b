import { type FieldProblem, problemsOf, ValidationFailed } from '../../../kernel/errors';
import { isCalendarDate, parseInstant } from '../../../kernel/time';
import { addDays, DAY_MS, dayIn, daysBetween, startOfDay } from '../../../kernel/time-zone';

/** Longer than any real event. Thanks to this limit, a list of a week reads back only one year. */
export const MAX_DAYS = 366;
const [FIRST_YEAR, LAST_YEAR] = ['1900', '2999'];

/** The time of an event: from one instant to another, or whole days in its zone. */
export interface Schedule {
  readonly timeZone: string;
  readonly startsAt: Date;
  /** Exclusive. */
  readonly endsAt: Date;
  /** The first day, and the day after the last; null unless it is all-day. */
  readonly startDay: string | null;
  readonly endDay: string | null;
}

/** A schedule as clients write it: RFC 3339 instants, or days YYYY-MM-DD. */
export interface WrittenSchedule {
  timeZone: string;
  /** By default, whether `startsAt` is a day. */
  allDay?: boolean;
  startsAt: string;
  /** By default an hour later, or the end of that day. */
  endsAt?: string;
}

/** A day or RFC 3339 instant within the years that can be planned. */
export function isTimeOrDay(text: string): boolean {
  const instant = parseInstant(text);
  if (!instant && !isCalendarDate(text)) return false;
  const year = (instant?.toISOString() ?? text).slice(0, 4);
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}

export const TIME_OR_DAY = `an RFC 3339 time such as 2027-06-12T18:00:00Z, or a day such as 2027-06-12, from ${FIRST_YEAR} to ${LAST_YEAR}`;

/**
 * Computes the instants.
 *
 * @throws ValidationFailed when start and end don't fit together
 */
export function scheduleOf(written: WrittenSchedule): Schedule {
  const allDay = written.allDay ?? isCalendarDate(written.startsAt);
  const [first, ...more] = kindProblems(written, allDay);
  if (first) throw new ValidationFailed(first, ...more);
  return allDay ? wholeDays(written) : timed(written);
}

/** The problems of the given fields, without knowing those that are absent. */
export function scheduleProblems(given: Partial<WrittenSchedule>): readonly FieldProblem[] {
  const { timeZone, startsAt, endsAt } = given;
  const allDay = given.allDay ?? (startsAt === undefined ? undefined : isCalendarDate(startsAt));
  if (allDay === undefined) return [];
  const areDays = [startsAt, endsAt].every((text) => text === undefined || isCalendarDate(text));
  // The zone decides which days begin at these instants.
  if (allDay && !areDays && timeZone === undefined) return [];
  const kinds = kindProblems(given, allDay);
  if (kinds.length > 0 || startsAt === undefined) return kinds;
  return problemsOf(() => scheduleOf({ timeZone: timeZone ?? 'UTC', allDay, startsAt, endsAt }));
}

/** Problems of days where instants are required, and the reverse. */
function kindProblems(
  { timeZone = 'UTC', startsAt, endsAt }: Partial<WrittenSchedule>,
  allDay: boolean,
): FieldProblem[] {
  const isOfKind = (text: string) => (allDay ? dayOf(text, timeZone) : parseInstant(text)) !== undefined;
  const message = allDay
    ? `must be a day, or the first instant of one in ${timeZone}: it is all-day`
    : 'must be a time with an offset, since this doesn’t take whole days';
  return Object.entries({ startsAt, endsAt })
    .filter(([, text]) => text !== undefined && !isOfKind(text))
    .map(([field]) => ({ field, message }));
}

function timed({ timeZone, startsAt: start, endsAt: end }: WrittenSchedule): Schedule {
  const startsAt = parseInstant(start)!;
  const endsAt = end === undefined ? new Date(startsAt.getTime() + DAY_MS / 24) : parseInstant(end)!;
  if (endsAt <= startsAt) refuse('endsAt', 'must be later than startsAt');
  if (endsAt.getTime() - startsAt.getTime() > MAX_DAYS * DAY_MS) refuseLength();
  return { timeZone, startsAt, endsAt, startDay: null, endDay: null };
}

function wholeDays({ timeZone, startsAt, endsAt }: WrittenSchedule): Schedule {
  const startDay = dayOf(startsAt, timeZone)!;
  const endDay = endsAt === undefined ? addDays(startDay, 1) : dayOf(endsAt, timeZone)!;
  if (endDay <= startDay) {
    refuse('endsAt', 'must be a later day than startsAt: something all-day ends when that day begins');
  }
  if (daysBetween(startDay, endDay) > MAX_DAYS) refuseLength();
  const [start, end] = [startOfDay(timeZone, startDay), startOfDay(timeZone, endDay)];
  if (end <= start) refuse('startsAt', `is a day that ${timeZone} left out`);
  return { timeZone, startsAt: start, endsAt: end, startDay, endDay };
}

/** The given day, or the day that begins in the zone at the given instant. */
function dayOf(text: string, timeZone: string): string | undefined {
  const instant = parseInstant(text);
  if (!instant) return text;
  const day = dayIn(timeZone, instant);
  return startOfDay(timeZone, day).getTime() === instant.getTime() ? day : undefined;
}

function refuse(field: FieldProblem['field'], message: string): never {
  throw new ValidationFailed({ field, message });
}

function refuseLength(): never {
  refuse('endsAt', `must be at most ${MAX_DAYS} days after startsAt`);
}
