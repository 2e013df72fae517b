import fc from 'fast-check';
import { localTimeIn } from '../../../kernel/local-time';
import { addDays, dayIn, startOfDay } from '../../../kernel/time-zone';
import { daysBetween, dueTimesOf } from './due';

const onDay = (dueOn: string, zone: string) => dueTimesOf({ dueOn, dueAt: null }, zone);

test('without a due time there is nothing to announce', () => {
  expect(dueTimesOf({ dueOn: null, dueAt: null }, 'UTC')).toEqual({ announcedFrom: null, overdueAt: null });
});

test('an instant is announced when it comes, in every zone', () => {
  const dueAt = new Date('2027-03-28T01:30:00.000Z');
  for (const zone of ['Europe/Madrid', 'Pacific/Apia']) {
    expect(dueTimesOf({ dueOn: null, dueAt }, zone)).toEqual({ announcedFrom: dueAt, overdueAt: dueAt });
  }
});

test.each([
  // Clocks go forward at 2:00, and back at 3:00.
  ['Europe/Madrid', '2027-03-28', '2027-03-28T07:00:00.000Z', '2027-03-28T22:00:00.000Z'],
  ['Europe/Madrid', '2027-10-31', '2027-10-31T08:00:00.000Z', '2027-10-31T23:00:00.000Z'],
  // At midnight: a day begins at 1:00, and one has 25 hours.
  ['America/Santiago', '2026-09-05', '2026-09-05T13:00:00.000Z', '2026-09-06T04:00:00.000Z'],
  ['America/Santiago', '2026-09-06', '2026-09-06T12:00:00.000Z', '2026-09-07T03:00:00.000Z'],
  ['America/Santiago', '2026-04-04', '2026-04-04T12:00:00.000Z', '2026-04-05T04:00:00.000Z'],
  ['Africa/Cairo', '2026-04-24', '2026-04-24T06:00:00.000Z', '2026-04-24T21:00:00.000Z'],
  ['Africa/Cairo', '2026-10-29', '2026-10-29T06:00:00.000Z', '2026-10-29T22:00:00.000Z'],
  ['Pacific/Apia', '2026-06-12', '2026-06-11T20:00:00.000Z', '2026-06-12T11:00:00.000Z'],
  ['Pacific/Apia', '2011-12-29', '2011-12-29T19:00:00.000Z', '2011-12-30T10:00:00.000Z'],
])('a day in %s: %s is announced at %s and ends at %s', (zone, day, announced, end) => {
  expect(onDay(day, zone)).toEqual({ announcedFrom: new Date(announced), overdueAt: new Date(end) });
});

test('a day that the zone skipped is refused', () => {
  expect(() => onDay('2011-12-30', 'Pacific/Apia')).toThrow('dueOn: is a day that Pacific/Apia left out');
  expect(onDay('2011-12-31', 'Pacific/Apia').announcedFrom).toEqual(new Date('2011-12-30T19:00:00.000Z'));
});

const zones = fc.constantFrom(
  ...['Europe/Madrid', 'America/Santiago', 'Africa/Cairo', 'Pacific/Apia', 'UTC'],
  ...Intl.supportedValuesOf('timeZone'),
);
const days = fc
  .integer({ min: Date.UTC(2012, 0, 1) / 86_400_000, max: Date.UTC(2037, 11, 31) / 86_400_000 })
  .map((count) => addDays('1970-01-01', count));

test('in every zone a day is announced at 09:00 of it, and overdue when it has ended', () => {
  fc.assert(
    fc.property(zones, days, (zone, day) => {
      // Other zones skipped a day, too: Kwajalein in 1993, Kiritimati in 1994. Here none does.
      const { announcedFrom, overdueAt } = onDay(day, zone);
      expect(localTimeIn(zone, announcedFrom!)).toBe(`${day}T09:00`);
      expect(dayIn(zone, new Date(overdueAt!.getTime() - 1))).toBe(day);
      expect(dayIn(zone, overdueAt!)).toBe(addDays(day, 1));
      expect(announcedFrom! < overdueAt!).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('days from one to another hold the announcements of exactly these days', () => {
  fc.assert(
    fc.property(zones, days, days, days, (zone, day, from, to) => {
      const range = daysBetween({ from, to }, zone);
      const { announcedFrom } = onDay(day, zone);
      const isWithin = announcedFrom! >= range.from! && announcedFrom! < range.before!;
      expect(isWithin).toBe(day >= from && day <= to);
    }),
  );
  expect(daysBetween({}, 'UTC')).toEqual({});
  expect(daysBetween({ to: '2027-01-15' }, 'UTC')).toEqual({ before: startOfDay('UTC', '2027-01-16') });
});
