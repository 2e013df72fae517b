const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(\.\d{1,9})?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const CALENDAR_DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether `text` is a day that exists, written YYYY-MM-DD, in the years 1900 to 9999. */
export function isCalendarDate(text: string): boolean {
  return isDay(text, 1900);
}

function isDay(text: string, firstYear: number): boolean {
  const match = CALENDAR_DATE.exec(text);
  if (!match || text.length !== 10) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return year >= firstYear && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

/** An RFC 3339 instant with any offset, cut (or rounded up) to milliseconds; undefined when `text` is none. */
export function parseInstant(text: string, rounding: 'down' | 'up' = 'down'): Date | undefined {
  const match = INSTANT.exec(text);
  if (!match || !isDay(match[1]!, 1)) return undefined;
  const instant = new Date(text.toUpperCase());
  if (rounding === 'up' && /[1-9]/.test(match[5]?.slice(4) ?? '')) instant.setTime(instant.getTime() + 1);
  // An offset may carry the last day of 9999 over into a year that RFC 3339 can't write.
  return instant.getUTCFullYear() > 9999 ? undefined : instant;
}

/** The later of two instants. */
export function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}

/**
 * When an object changes that last changed at `previous`: now, or a millisecond after `previous` where the clock says no
 * later. Clocks of two instances differ and go back, and who asks for what changed since must see each change.
 */
export function timeOfChange(previous: Date, now: Date): Date {
  return later(now, new Date(previous.getTime() + 1));
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
