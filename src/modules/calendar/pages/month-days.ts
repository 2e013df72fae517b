import { useLocale } from '../../../platform/pages/locale';
import { addDays, startOfDay } from '../../../kernel/time-zone';
import type { MonthDays } from '../application/month-queries';

/** A Monday, and the days after it. */
export const ANY_WEEK = Array.from({ length: 7 }, (_, index) => addDays('2027-01-04', index));

/** A month, `YYYY-MM`, and the days of the whole weeks that cover it. */
export interface MonthFrame {
  readonly month: string;
  readonly days: readonly string[];
}

/** `text` comes from an address. Anything but a month between 1900 and 2999 is replaced by the month of `today`. */
export function monthOf(text: string, today: string): string {
  const isMonth = /^(19|2\d)\d\d-(0[1-9]|1[0-2])$/.test(text) && text > '1900-01';
  return isMonth ? text : today.slice(0, 7);
}

export function monthFrame(month: string): MonthFrame {
  const first = `${month}-01`;
  const last = lastDayOf(month);
  const days: string[] = [];
  for (
    let day = addDays(first, -weekdayOf(first));
    day <= last || days.length % 7 > 0;
    day = addDays(day, 1)
  ) {
    days.push(day);
  }
  return { month, days };
}

export function instantsOf(zone: string, days: readonly string[]): MonthDays {
  const starts = days.map((day) => startOfDay(zone, day));
  return { starts, end: startOfDay(zone, addDays(days.at(-1)!, 1)) };
}

export function lastDayOf(month: string): string {
  return addDays(`${nextMonth(month)}-01`, -1);
}

export function nextMonth(month: string): string {
  return addDays(`${month}-01`, 31).slice(0, 7);
}

export function previousMonth(month: string): string {
  return addDays(`${month}-01`, -1).slice(0, 7);
}

/** 0 is Monday. */
export function weekdayOf(day: string): number {
  return (new Date(day).getUTCDay() + 6) % 7;
}

export function dateText(day: string, locale: string, options: Intl.DateTimeFormatOptions): string {
  return new Date(day).toLocaleDateString(locale, { ...options, timeZone: 'UTC' });
}

/** Names of days and months as the workspace's locale writes them. */
export function useDayNames() {
  const locale = useLocale();
  const known = new Map<string, Intl.DateTimeFormat>();
  const name = (kind: string, day: string, options: Intl.DateTimeFormatOptions) => {
    const format = known.get(kind) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    known.set(kind, format);
    return format.format(new Date(day));
  };
  return {
    monthName: (day: string) => name('month', day.slice(0, 7), { month: 'long', year: 'numeric' }),
    weekdayName: (day: string, weekday: 'long' | 'short' | 'narrow' = 'long') =>
      name(weekday, day, { weekday }),
  };
}
