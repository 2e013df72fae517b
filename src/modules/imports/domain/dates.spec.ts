import fc from 'fast-check';
import { DateColumn, readDay, readingsOf } from './dates';

const day = fc.record({
  year: fc.integer({ min: 1900, max: 2100 }),
  month: fc.integer({ min: 1, max: 12 }),
  day: fc.integer({ min: 1, max: 28 }),
});
const two = (number: number) => String(number).padStart(2, '0');

test('a day is read as it was written in each format, and a column of days never takes another format for it', () => {
  fc.assert(
    fc.property(
      fc.array(day, { minLength: 1, maxLength: 20 }),
      fc.constantFrom('/', '-'),
      (days, separator) => {
        const iso = days.map(({ year, month, day: date }) => `${year}-${two(month)}-${two(date)}`);
        for (const format of ['DD/MM/YYYY', 'MM/DD/YYYY'] as const) {
          const column = new DateColumn();
          const texts = days.map(({ year, month, day: date }) => {
            const [one, other] = format === 'DD/MM/YYYY' ? [date, month] : [month, date];
            return [one, other, year].join(separator);
          });
          texts.forEach((text) => column.add(text));
          expect(texts.map((text) => readDay(text, format))).toEqual(iso);
          expect(column.formats).toContain(format);
          const isOpen = days.every(({ day: date }) => date <= 12);
          expect(column.formats).toHaveLength(isOpen ? 2 : 1);
        }
      },
    ),
  );
});

test.each([
  ['2027-06-12', '2027-06-12'],
  ['2027/6/2', '2027-06-02'],
  ['2027-06-12T18:00:00Z', '2027-06-12'],
  ['12.06.2027', '2027-06-12'],
  ['1.6.27', '2027-06-01'],
  ['25/12/2027 18:30', '2027-12-25'],
  ['12/25/2027 6:30 PM', '2027-12-25'],
])('%s is %s, whatever the format', (text, iso) => {
  expect(Object.values(readingsOf(text))).toEqual([iso]);
});

test.each(['', '31.02.2027', '2027-13-01', '12/06', '46920', '12-06/2027', 'tomorrow', '1/1/202'])(
  '%j is no day',
  (text) => expect(readingsOf(text)).toEqual({}),
);
