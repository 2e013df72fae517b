import fc from 'fast-check';
import { isCalendarDate, later, parseInstant, parseRetryAfter, timeOfChange } from './time';

const pad = (value: number, length = 2) => String(value).padStart(length, '0');

/** By the platform's own calendar: a date that doesn't exist comes out as another one. */
function existsByPlatform(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

describe('isCalendarDate', () => {
  test('knows every day and every non-day of the years 1900 to 2400, and of some later ones', () => {
    for (const year of [...Array.from({ length: 501 }, (_, index) => 1900 + index), 4000, 8100, 9996, 9999]) {
      for (let month = 0; month <= 13; month++) {
        for (let day = 27; day <= 32; day++) {
          const text = `${year}-${pad(month)}-${pad(day)}`;
          const exists = month >= 1 && month <= 12 && existsByPlatform(year, month, day);
          if (isCalendarDate(text) !== exists) throw new Error(`${text} should be ${exists}`);
        }
      }
    }
  });

  test('agrees with the platform on any three numbers', () => {
    const numbers = fc.tuple(
      fc.integer({ min: 0, max: 9999 }),
      fc.integer({ min: 0, max: 99 }),
      fc.integer({ min: 0, max: 99 }),
    );
    fc.assert(
      fc.property(numbers, ([year, month, day]) => {
        const text = `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
        const exists =
          year >= 1900 && month >= 1 && month <= 12 && day >= 1 && existsByPlatform(year, month, day);
        expect(isCalendarDate(text)).toBe(exists);
      }),
    );
  });

  test.each(['1900-01-01', '9999-12-31', '2028-02-29', '2000-02-29'])('takes %s', (text) => {
    expect(isCalendarDate(text)).toBe(true);
  });

  test.each([
    '',
    '1899-12-31',
    '0000-01-01',
    '10000-01-01',
    '2027-02-29',
    '2100-02-29',
    '2027',
    '2027-06',
    '2027-W10',
    '2027-W10-1',
    '2027-163',
    '20270612',
    '2027-6-1',
    '2027/06/12',
    '12/06/2027',
    '12-06-2027',
    '-2027-06-12',
    '+2027-06-12',
    ' 2027-06-12',
    '2027-06-12 ',
    '2027-06-12\n',
    '2027-06-12T00:00:00Z',
    '２０２７-０６-１２',
    '٢٠٢٧-٠٦-١٢',
    '2027–06–12',
  ])('refuses %j', (text) => {
    expect(isCalendarDate(text)).toBe(false);
  });

  test('refuses any other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!/^\d{4}-\d{2}-\d{2}$/.test(text));
        expect(isCalendarDate(text)).toBe(false);
      }),
    );
  });
});

describe('parseInstant', () => {
  const instants = fc.date({ min: new Date('1900-01-02'), max: new Date('9999-12-30'), noInvalidDate: true });

  test('reads what it is the UTC writing of', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        expect(parseInstant(instant.toISOString())).toEqual(instant);
        expect(parseInstant(instant.toISOString().toLowerCase())).toEqual(instant);
      }),
    );
  });

  test('reads any offset', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: -1439, max: 1439 }), (instant, minutes) => {
        fc.pre(instant.getUTCFullYear() > 1900 && instant.getUTCFullYear() < 9999);
        const local = new Date(instant.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const size = Math.abs(minutes);
        const offset = `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
        expect(parseInstant(local + offset)).toEqual(instant);
      }),
    );
  });

  test.each([
    ['2027-06-12T18:00:00Z', '2027-06-12T18:00:00.000Z'],
    ['2027-06-12t18:00:00.1z', '2027-06-12T18:00:00.100Z'],
    ['2027-06-12T18:00:00.123456789Z', '2027-06-12T18:00:00.123Z'],
    ['2027-06-12T18:00:00.9999Z', '2027-06-12T18:00:00.999Z'],
    ['2027-06-12T00:30:00+02:00', '2027-06-11T22:30:00.000Z'],
    ['2027-12-31T23:30:00-01:00', '2028-01-01T00:30:00.000Z'],
    ['2027-06-12T18:00:00-00:00', '2027-06-12T18:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['1900-01-01T00:00:00Z', '1900-01-01T00:00:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(parseInstant(text)?.toISOString()).toBe(expected);
  });

  test.each([
    '',
    '2027-06-12',
    '2027-06-12T18:00Z',
    '2027-06-12T18:00:00',
    '2027-06-12 18:00:00Z',
    '2027-06-12T18:00:00 Z',
    '2027-06-12T18:00:00.Z',
    '2027-06-12T18:00:00,5Z',
    '2027-06-12T18:00:00.1234567890Z',
    '2027-06-12T24:00:00Z',
    '2027-06-12T18:60:00Z',
    '2027-06-12T18:00:60Z',
    '2027-02-30T18:00:00Z',
    '2027-13-01T18:00:00Z',
    '2027-06-12T18:00:00+24:00',
    '2027-06-12T18:00:00+02:60',
    '2027-06-12T18:00:00+0200',
    '2027-06-12T18:00:00+02',
    '2027-06-12T18:00:00 02:00',
    '2027-06-12T18:00:00GMT',
    '2027-06-12T18:00:00Z\n',
    '+002027-06-12T18:00:00Z',
    '9999-12-31T23:59:59-00:01',
    'Sat, 12 Jun 2027 18:00:00 GMT',
    '1812823200',
    'now',
  ])('refuses %j', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});

test('later is the later of two instants, whichever comes first', () => {
  const [early, late] = [new Date('2027-01-01'), new Date('2027-01-02')];
  expect([later(early, late), later(late, early), later(late, late)]).toEqual([late, late, late]);
});

test('a change is told later than the one before, whatever the clock says', () => {
  const [early, late] = [new Date('2027-01-01'), new Date('2027-01-02')];
  expect(timeOfChange(early, late)).toEqual(late);
  for (const now of [early, late]) {
    expect(timeOfChange(late, now).toISOString()).toBe('2027-01-02T00:00:00.001Z');
  }
});

test('an instant may lie in years that calendar dates may not, such as another language’s zero time', () => {
  expect(parseInstant('0001-01-01T00:00:00Z')?.toISOString()).toBe('0001-01-01T00:00:00.000Z');
  expect(parseInstant('0000-12-31T00:00:00Z')).toBeUndefined();
});

test.each([
  [undefined, undefined],
  ['0', 0],
  ['120', 120_000],
  ['Fri, 15 Jan 2027 09:30:10 GMT', 10_000],
  ['Fri, 15 Jan 2027 09:29:00 GMT', 0],
  ['soon', undefined],
])('Retry-After %j is %j ms', (text, milliseconds) => {
  expect(parseRetryAfter(text, new Date('2027-01-15T09:30:00.000Z'))).toBe(milliseconds);
});
