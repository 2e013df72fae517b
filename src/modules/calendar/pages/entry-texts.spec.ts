import { newId } from '../../../kernel/ids';
import { startOfDay } from '../../../kernel/time-zone';
import { hoursText, shortened, spacesText } from './entry-texts';

const ZONE = 'Europe/Madrid';
const timed = (startsAt: string | Date, endsAt: string | Date) => ({
  allDay: false,
  startsAt: new Date(startsAt),
  endsAt: new Date(endsAt),
});

test.each([
  ['on its day', ['2027-06-12', '2027-06-12'], '16:00–02:00'],
  ['on the day after', ['2027-06-13', '2027-06-13'], 'until 02:00'],
])('a night tells its times %s', (_, [first, last], text) => {
  const night = timed('2027-06-12T14:00:00Z', '2027-06-13T00:00:00Z');
  expect(hoursText(ZONE, night, first!, last!)).toBe(text);
});

test.each([
  ['on its first day', ['2027-06-12', '2027-06-12'], 'from 16:00'],
  ['between', ['2027-06-13', '2027-06-13'], undefined],
  ['on its last day', ['2027-06-14', '2027-06-14'], 'until 12:00'],
  ['on all of them', ['2027-06-12', '2027-06-14'], '16:00–12:00'],
  ['on the first two', ['2027-06-12', '2027-06-13'], 'from 16:00'],
])('a long entry tells what lies %s', (_, [first, last], text) => {
  const festival = timed('2027-06-12T14:00:00Z', '2027-06-14T10:00:00Z');
  expect(hoursText(ZONE, festival, first!, last!)).toBe(text);
});

test.each([
  ['2027-03-28', '2027-03-29'],
  ['2027-10-31', '2027-11-01'],
])('a whole day of hours on which clocks change ends on it: %s', (day, next) => {
  const whole = timed(startOfDay(ZONE, day), startOfDay(ZONE, next));
  expect(hoursText(ZONE, whole, day, day)).toBe('00:00–00:00');
});

test('whole days have no times', () => {
  const days = { ...timed('2027-06-11T22:00:00Z', '2027-06-12T22:00:00Z'), allDay: true };
  expect(hoursText(ZONE, days, '2027-06-12', '2027-06-12')).toBeUndefined();
});

test('long titles are cut between characters, and further spaces are counted', () => {
  expect(shortened('😀'.repeat(60))).toBe('😀'.repeat(60));
  expect(shortened(`${'😀'.repeat(60)}x`)).toBe(`${'😀'.repeat(60)}…`);
  const ids = [newId('space'), newId('space'), newId('space')];
  const names = new Map([[ids[0]!, 'Garden Pavilion']]);
  expect(spacesText(ids, names)).toBe('Garden Pavilion +2');
  expect(spacesText([], names)).toBeUndefined();
});
