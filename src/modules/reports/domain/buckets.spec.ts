import * as fc from 'fast-check';
import { addDays, dayIn } from '../../../kernel/time-zone';
import { type Bucket, bucketsOf, type Interval, INTERVALS } from './buckets';

const ZONES = ['Europe/Madrid', 'America/New_York', 'Asia/Kathmandu', 'Africa/Cairo', 'Pacific/Apia'];
const days = fc.integer({ min: 0, max: 7000 }).map((days) => addDays('2010-01-01', days));

test('each instant of a period falls into the one bucket that holds its day', () => {
  const property = fc.property(
    fc.record({
      from: days,
      length: fc.integer({ min: 0, max: 61 }),
      timeZone: fc.constantFrom(...ZONES),
      interval: fc.constantFrom(...INTERVALS),
      part: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    }),
    ({ from, length, timeZone, interval, part }) => {
      const to = addDays(from, length);
      const { buckets, bounds } = bucketsOf({ from, to, timeZone }, interval);
      expect(buckets[0]!.from).toBe(from);
      expect(buckets.at(-1)!.to).toBe(to);
      buckets.slice(1).forEach((bucket, index) => expect(bucket.from).toBe(addDays(buckets[index]!.to, 1)));
      const [first, end] = [bounds[0]!.getTime(), bounds.at(-1)!.getTime()];
      if (first === end) return;
      const at = new Date(first + Math.floor(part * (end - first)));
      const found = bounds.filter((bound) => bound <= at).length - 1;
      const day = dayIn(timeZone, at);
      expect(buckets.filter((bucket) => bucket.from <= day && day <= bucket.to)).toEqual([buckets[found]]);
    },
  );
  fc.assert(property, { numRuns: 500 });
});

test.each<[Interval, string, string, Bucket[]]>([
  [
    'week',
    '2027-01-01',
    '2027-01-12',
    [
      { from: '2027-01-01', to: '2027-01-03' },
      { from: '2027-01-04', to: '2027-01-10' },
      { from: '2027-01-11', to: '2027-01-12' },
    ],
  ],
  [
    'quarter',
    '2026-11-30',
    '2027-04-01',
    [
      { from: '2026-11-30', to: '2026-12-31' },
      { from: '2027-01-01', to: '2027-03-31' },
      { from: '2027-04-01', to: '2027-04-01' },
    ],
  ],
  [
    'year',
    '2026-12-31',
    '2027-01-01',
    [
      { from: '2026-12-31', to: '2026-12-31' },
      { from: '2027-01-01', to: '2027-01-01' },
    ],
  ],
])('the buckets by %s from %s to %s', (interval, from, to, buckets) => {
  expect(bucketsOf({ from, to, timeZone: 'UTC' }, interval).buckets).toEqual(buckets);
});

test('a day that the zone left out is empty', () => {
  const period = { from: '2011-12-29', to: '2011-12-31', timeZone: 'Pacific/Apia' };
  const { bounds } = bucketsOf(period, 'day');
  expect(bounds[1]).toEqual(bounds[2]);
  expect(bounds[3]!.getTime() - bounds[0]!.getTime()).toBe(2 * 86_400_000);
});

test.each([
  ['2027-01-02', '2027-01-01', 'none', 'to'],
  ['2025-01-01', '2027-01-02', 'none', 'to'],
  ['2026-01-01', '2027-02-05', 'day', 'interval'],
] as const)('refuses %s to %s by %s', (from, to, interval, field) => {
  const period = { from, to, timeZone: 'UTC' };
  expect(() => bucketsOf(period, interval)).toThrow(
    expect.objectContaining({ details: [expect.objectContaining({ field })] }),
  );
});

test('a period has at most 731 days, and 400 buckets', () => {
  expect(bucketsOf({ from: '2025-01-01', to: '2027-01-01', timeZone: 'UTC' }, 'none').buckets).toHaveLength(
    1,
  );
  expect(bucketsOf({ from: '2026-01-01', to: '2027-02-04', timeZone: 'UTC' }, 'day').buckets).toHaveLength(
    400,
  );
});
