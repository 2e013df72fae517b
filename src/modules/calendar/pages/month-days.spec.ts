import fc from 'fast-check';
import { addDays } from '../../../kernel/time-zone';
import { instantsOf, monthFrame, monthOf, weekdayOf } from './month-days';

test('a month is covered by whole weeks, and by no more', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1900, max: 2999 }), fc.integer({ min: 1, max: 12 }), (year, month) => {
      const text = `${year}-${String(month).padStart(2, '0')}`;
      const { days } = monthFrame(monthOf(text, '1999-01-01'));
      expect(days.length % 7).toBe(0);
      expect(weekdayOf(days[0]!)).toBe(0);
      expect(days).toEqual(days.map((_, index) => addDays(days[0]!, index)));
      // January 1900 is replaced by the month of today.
      const shown = text === '1900-01' ? '1999-01' : text;
      expect(days.slice(0, 7).some((day) => day.startsWith(shown))).toBe(true);
      expect(days.slice(-7).some((day) => day.startsWith(shown))).toBe(true);
    }),
  );
});

test('days begin when clocks say so, also on days of 23 and 25 hours and one that was left out', () => {
  const hours = (zone: string, first: string, count: number) => {
    const days = Array.from({ length: count }, (_, index) => addDays(first, index));
    const { starts, end } = instantsOf(zone, days);
    return [...starts.slice(1), end].map(
      (next, index) => (next.getTime() - starts[index]!.getTime()) / 3_600_000,
    );
  };
  expect(hours('Europe/Madrid', '2027-03-27', 3)).toEqual([24, 23, 24]);
  expect(hours('Europe/Madrid', '2027-10-30', 3)).toEqual([24, 25, 24]);
  expect(hours('Pacific/Apia', '2011-12-29', 3)).toEqual([24, 0, 24]);
});
