import { ValidationFailed } from '../../../kernel/errors';
import { isCalendarDate, parseInstant } from '../../../kernel/time';
import { addDays, DAY_MS, daysBetween, startOfDay } from '../../../kernel/time-zone';

const MAX_DAYS = 366;

/** From the first instant, inclusive, to the last, exclusive. */
export interface CalendarRange {
  readonly from: Date;
  readonly to: Date;
}

/**
 * The range between two instants or days. A day is the whole day in that zone: `from` is its beginning, `to` its end.
 */
export function rangeOf(from: string, to: string, timeZone: string): CalendarRange {
  const range = {
    from: parseInstant(from) ?? startOfDay(timeZone, from),
    // Events have whole milliseconds, so before 0.5 ms means before 1 ms.
    to: parseInstant(to, 'up') ?? startOfDay(timeZone, addDays(to, 1)),
  };
  const bothDays = isCalendarDate(from) && isCalendarDate(to);
  if (bothDays ? to < from : range.to <= range.from) {
    throw new ValidationFailed({ field: 'to', message: 'must not be before from' });
  }
  const days = bothDays ? daysBetween(from, to) + 1 : (range.to.getTime() - range.from.getTime()) / DAY_MS;
  if (days > MAX_DAYS) {
    throw new ValidationFailed({ field: 'to', message: `must be at most ${MAX_DAYS} days after from` });
  }
  return range;
}
