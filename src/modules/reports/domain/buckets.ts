import { ValidationFailed } from '../../../kernel/errors';
import { addDays, daysBetween, startOfDay } from '../../../kernel/time-zone';

export const INTERVALS = ['none', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type Interval = (typeof INTERVALS)[number];

export const MAX_DAYS = 731;
export const MAX_BUCKETS = 400;

/** Inclusive days in a time zone. */
export interface Period {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
}

/** Inclusive days. The first and the last one may be cut short by the period. */
export type Bucket = Pick<Period, 'from' | 'to'>;

export interface Buckets {
  readonly buckets: readonly Bucket[];
  /** The instants at which the buckets begin, and that at which the last one ends. */
  readonly bounds: readonly Date[];
}

/**
 * The parts of a period. Each instant of it falls into exactly one: between the beginnings of two days, whatever clocks do. A
 * day that the zone left out is empty.
 *
 * @throws ValidationFailed for a period or an interval that makes too much
 */
export function bucketsOf({ from, to, timeZone }: Period, interval: Interval): Buckets {
  if (to < from) throw new ValidationFailed({ field: 'to', message: 'must not be before from' });
  if (daysBetween(from, to) >= MAX_DAYS) {
    throw new ValidationFailed({
      field: 'to',
      message: `must be at most ${MAX_DAYS} days from the first day`,
    });
  }
  const buckets: Bucket[] = [];
  for (let day = from; day <= to;) {
    const next = nextStart(day, interval);
    const last = next === undefined || next > to ? to : addDays(next, -1);
    buckets.push({ from: day, to: last });
    day = addDays(last, 1);
  }
  if (buckets.length > MAX_BUCKETS) {
    throw new ValidationFailed({
      field: 'interval',
      message: `makes ${buckets.length} rows, of at most ${MAX_BUCKETS}; choose a longer one, or fewer days`,
    });
  }
  const bounds = [...buckets.map((bucket) => bucket.from), addDays(to, 1)];
  return { buckets, bounds: bounds.map((day) => startOfDay(timeZone, day)) };
}

/** The day on which the next bucket begins. Weeks begin on Monday (ISO 8601). */
function nextStart(day: string, interval: Interval): string | undefined {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  const monthAfter = (count: number) =>
    new Date(Date.UTC(year, month - 1 + count, 1)).toISOString().slice(0, 10);
  switch (interval) {
    case 'none':
      return undefined;
    case 'day':
      return addDays(day, 1);
    case 'week':
      return addDays(day, 7 - ((new Date(day).getUTCDay() + 6) % 7));
    case 'month':
      return monthAfter(1);
    case 'quarter':
      return monthAfter(3 - ((month - 1) % 3));
    case 'year':
      return monthAfter(13 - month);
  }
}
