import fc from 'fast-check';
import { localTimeIn, parseLocalTime } from './local-time';

const parsed = (zone: string, text: string) => parseLocalTime(zone, text)?.toISOString();

test.each([
  ['UTC', '2027-01-15T09:30', '2027-01-15T09:30:00.000Z'],
  ['Europe/Madrid', '2027-01-15T09:30', '2027-01-15T08:30:00.000Z'],
  ['Europe/Madrid', '2027-07-15 09:30', '2027-07-15T07:30:00.000Z'],
  ['Asia/Kathmandu', '2027-01-15T00:00:59.999', '2027-01-14T18:15:00.000Z'],
  ['Pacific/Kiritimati', '2027-01-01T00:00', '2026-12-31T10:00:00.000Z'],
  // Clocks are put back: it is 02:30 twice.
  ['Europe/Madrid', '2027-10-31T02:30', '2027-10-31T00:30:00.000Z'],
  // They leap from 02:00 to 03:00.
  ['Europe/Madrid', '2027-03-28T02:30', '2027-03-28T00:30:00.000Z'],
  // A zone that left out a whole day.
  ['Pacific/Apia', '2011-12-30T12:00', '2011-12-29T22:00:00.000Z'],
])('in %s, %s is %s', (zone, text, instant) => {
  expect(parsed(zone, text)).toBe(instant);
});

test.each(['', '2027-02-29T00:00', '2027-01-15', '2027-01-15T24:00', '2027-01-15T09:60', '15/01/2027 09:30'])(
  '%j is no time',
  (text) => expect(parseLocalTime('UTC', text)).toBeUndefined(),
);

test('clocks show what was meant, for every instant of every kind of zone', () => {
  const zones = fc.constantFrom(
    'UTC',
    'Europe/Madrid',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'Asia/Tokyo',
  );
  const instants = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(zones, instants, (zone, at) => {
      const text = localTimeIn(zone, at);
      const instant = parseLocalTime(zone, text)!;
      expect(localTimeIn(zone, instant)).toBe(text);
      expect(instant.getTime()).toBeLessThanOrEqual(at.getTime());
    }),
  );
});
