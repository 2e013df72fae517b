const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(\.\d{1,9})?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const CALENDAR_DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether `text` is an existing day, YYYY-MM-DD, in the years 1900 to 9999. */
export function isCalendarDate(text: string): boolean {
  return isDay(text, 1900);
}

function isDay(text: string, firstYear: number): boolean {
  const match = CALENDAR_DATE.exec(text);
  if (!match || text.length !== 10) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return year >= firstYear && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

/** Parses an RFC 3339 instant with any offset, rounded to milliseconds; undefined for any other text. */
export function parseInstant(text: string, rounding: 'down' | 'up' = 'down'): Date | undefined {
  const match = INSTANT.exec(text);
  if (!match || !isDay(match[1]!, 1)) return undefined;
  const instant = new Date(text.toUpperCase());
  if (rounding === 'up' && /[1-9]/.test(match[5]?.slice(4) ?? '')) instant.setTime(instant.getTime() + 1);
  // With an offset, the last day of 9999 may end in the year 10000, which RFC 3339 can't express.
  return instant.getUTCFullYear() > 9999 ? undefined : instant;
}

/** The delay in a Retry-After header, in milliseconds: seconds, or a date (RFC 9110 section 10.2.3). Undefined without one. */
export function parseRetryAfter(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}

/** The later of two instants. */
export function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}

/**
 * The time of an object's change: now, but at least a millisecond after its `previous` change. Instances' clocks differ
 * and can go back, and a client that filters by `updatedAfter` must see each change.
 */
export function timeOfChange(previous: Date, now: Date): Date {
  return later(now, new Date(previous.getTime() + 1));
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
