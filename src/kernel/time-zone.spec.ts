import fc from 'fast-check';
import { addDays, clockTimeIn, DAY_MS, dayIn, daysBetween, isTimeZone, startOfDay } from './time-zone';

const ZONES = Intl.supportedValuesOf('timeZone');

describe('names of time zones', () => {
  test.each([
    'UTC',
    'Europe/Madrid',
    'America/New_York',
    'America/Argentina/Buenos_Aires',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'Asia/Ho_Chi_Minh',
    'Asia/Yangon',
    'Europe/Kyiv',
    'Atlantic/Faroe',
    'America/Nuuk',
    'Pacific/Kiritimati',
  ])('%s is one', (name) => expect(isTimeZone(name)).toBe(true));

  test.each([
    '',
    ' ',
    'GMT-05:00',
    '+05:30',
    'America/Pacific',
    '../etc',
    'europe/madrid',
    'Europe',
    'Madrid',
    'Europe/Madrid ',
    'Europe/Madrid\n',
    'local',
    'undefined',
  ])('%j is none', (name) => expect(isTimeZone(name)).toBe(false));
});

/** When the clocks of a zone were or will be changed, to the second; some zones have done so for other reasons than summer. */
function changesOf(zone: string, from: string, to: string): number[] {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    timeZoneName: 'longOffset',
    year: 'numeric',
  });
  const offset = (at: number) => format.format(at);
  const changes: number[] = [];
  for (let at = Date.parse(from); at < Date.parse(to); at += 5 * DAY_MS) {
    let [low, high] = [at, at + 5 * DAY_MS];
    if (offset(low).slice(5) === offset(high).slice(5)) continue;
    while (high - low > 1000) {
      const middle = low + Math.floor((high - low) / 2000) * 1000;
      if (offset(middle).slice(5) === offset(low).slice(5)) low = middle;
      else high = middle;
    }
    changes.push(high);
  }
  return changes;
}

/** As another part of Intl writes it. */
const writtenDay = (zone: string, at: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(at);

describe('a day begins', () => {
  test('with its first instant, around every change of clocks in every zone', () => {
    let changes = 0;
    for (const zone of ZONES) {
      for (const change of changesOf(zone, '2011-01-01', '2013-01-01')) {
        changes++;
        for (const offset of [-1, 0, 1]) {
          const day = addDays(writtenDay(zone, change), offset);
          const start = startOfDay(zone, day).getTime();
          // St. John's set its clocks back at one past midnight: for a minute it was tomorrow, and then today again.
          if (zone === 'America/St_Johns') expect(writtenDay(zone, start)).toBe(day);
          else
            expect([zone, day, writtenDay(zone, start) >= day, writtenDay(zone, start - 1) < day]).toEqual([
              zone,
              day,
              true,
              true,
            ]);
        }
      }
    }
    expect(changes).toBeGreaterThan(500);
  });

  test('and holds noon, in any zone and year', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.date({ min: new Date('1950-01-02'), max: new Date('2199-12-30'), noInvalidDate: true }),
        (zone, at) => {
          const day = dayIn(zone, at);
          expect(day).toBe(writtenDay(zone, at.getTime()));
          expect(startOfDay(zone, day).getTime()).toBeLessThanOrEqual(at.getTime());
          expect(startOfDay(zone, addDays(day, 2)).getTime()).toBeGreaterThan(at.getTime());
        },
      ),
    );
  });

  test.each([
    ['Europe/Madrid', '2027-03-28', '2027-03-27T23:00:00.000Z', 'of 23 hours'],
    ['Europe/Madrid', '2027-03-29', '2027-03-28T22:00:00.000Z', 'after it'],
    ['Europe/Madrid', '2027-10-31', '2027-10-30T22:00:00.000Z', 'of 25 hours'],
    ['America/Havana', '2012-04-01', '2012-04-01T05:00:00.000Z', 'without midnight: begins at one'],
    ['America/Havana', '2012-11-04', '2012-11-04T04:00:00.000Z', 'with two midnights: the first'],
    ['Asia/Beirut', '2027-03-28', '2027-03-27T22:00:00.000Z', 'without midnight'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', 'that was left out: with the next one'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z', 'after the one left out'],
    ['Australia/Lord_Howe', '2027-04-04', '2027-04-03T13:00:00.000Z', 'with a change of half an hour'],
    ['Pacific/Kiritimati', '2027-01-01', '2026-12-31T10:00:00.000Z', 'the first on earth'],
    ['Asia/Kathmandu', '2028-02-29', '2028-02-28T18:15:00.000Z', 'a leap day'],
  ])('%s %s at %s: one %s', (zone, day, start) => {
    expect(startOfDay(zone, day).toISOString()).toBe(start);
  });
});

test('clocks are read as people read them', () => {
  expect(clockTimeIn('Asia/Kolkata', new Date('2027-01-01T18:35:59Z'))).toBe('00:05');
  expect(clockTimeIn('Europe/Madrid', new Date('2027-07-01T22:00:00Z'))).toBe('00:00');
});

test('days are counted whatever clocks do', () => {
  expect(addDays('2027-12-31', 1)).toBe('2028-01-01');
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
  expect(daysBetween('2027-03-27', '2027-03-29')).toBe(2);
});
