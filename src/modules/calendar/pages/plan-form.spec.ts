import fc from 'fast-check';
import { FormInput } from '../../../platform/pages/form-input';
import { areTimesChanged, readGuests, readSpaces, readTimes, timesOf } from './plan-form';

const ZONE = 'Europe/Madrid';
const DAY = '2027-06-12';

function read(values: Record<string, string>, zone = ZONE) {
  const form = new FormInput({ startDay: DAY, ...values });
  const times = readTimes(form, zone);
  return form.isFaulty ? form.problems : times;
}

test.each([
  ['one whole day', {}, { startsAt: DAY, endsAt: '2027-06-13' }],
  ['several whole days', { endDay: '2027-06-14' }, { startsAt: DAY, endsAt: '2027-06-15' }],
  ['a start alone', { startTime: '18:00' }, { startsAt: '2027-06-12T16:00:00.000Z' }],
  [
    'start and end',
    { startTime: '10:00', endTime: '11:30' },
    { startsAt: '2027-06-12T08:00:00.000Z', endsAt: '2027-06-12T09:30:00.000Z' },
  ],
  [
    'an end before the start, which is on the next day',
    { startTime: '18:00', endTime: '02:00' },
    { startsAt: '2027-06-12T16:00:00.000Z', endsAt: '2027-06-13T00:00:00.000Z' },
  ],
  [
    'an end on a later day',
    { startTime: '18:00', endDay: '2027-06-14', endTime: '12:00' },
    { startsAt: '2027-06-12T16:00:00.000Z', endsAt: '2027-06-14T10:00:00.000Z' },
  ],
])('reads %s', (_, values, times) => {
  expect(read(values)).toEqual(times);
});

test('a night in which clocks change has an hour less or more', () => {
  const night = { startTime: '22:00', endTime: '06:00' };
  const hours = (startDay: string) => {
    const { startsAt, endsAt } = read({ startDay, ...night }) as { startsAt: string; endsAt: string };
    return (Date.parse(endsAt) - Date.parse(startsAt)) / 3_600_000;
  };
  expect(['2027-03-27', '2027-06-12', '2027-10-30'].map(hours)).toEqual([7, 8, 9]);
});

test.each([
  [{ startDay: '' }, 'startDay', 'is required'],
  [{ startDay: '2027-02-30' }, 'startDay', 'must be'],
  [{ startTime: '25:00' }, 'startTime', 'must be a time such as 18:00'],
  [{ endTime: '12:00' }, 'startTime', 'is required with an end time'],
  [{ endDay: '2027-06-11' }, 'endDay', 'must not be before the first day'],
  [{ startTime: '10:00', endDay: '2027-06-14' }, 'endTime', 'is required with a start time and a last day'],
  [{ startTime: '10:00', endDay: DAY, endTime: '09:00' }, 'endTime', 'must be later than the start'],
])('refuses %j', (values, field, message) => {
  expect(read(values)).toEqual([{ field, message: expect.stringContaining(message) }]);
});

test('any text is read or refused', () => {
  fc.assert(
    fc.property(
      fc.record({ startDay: fc.string(), startTime: fc.string(), endDay: fc.string(), endTime: fc.string() }),
      (values) => void read(values),
    ),
  );
});

test('what is planned is shown as it is read again', () => {
  const event = {
    startsAt: new Date('2027-06-12T16:00:00Z'),
    endsAt: new Date('2027-06-13T00:00:00Z'),
    timeZone: ZONE,
  };
  const shown = timesOf(event);
  expect(shown).toEqual({ startDay: DAY, startTime: '18:00', endDay: '2027-06-13', endTime: '02:00' });
  expect(read(shown)).toEqual({
    startsAt: event.startsAt.toISOString(),
    endsAt: event.endsAt.toISOString(),
  });
  const days = timesOf({ startsAt: DAY, endsAt: '2027-06-14', timeZone: ZONE });
  expect(days).toEqual({ startDay: DAY, startTime: '', endDay: '2027-06-13', endTime: '' });
  expect(areTimesChanged(new FormInput(days), new FormInput(days))).toBe(false);
  expect(areTimesChanged(new FormInput({ ...days, endDay: DAY }), new FormInput(days))).toBe(true);
});

test('guests are a whole number, and spaces are ids, each once', () => {
  const form = new FormInput({ guests: 'many', spaceIds: ['x', 'x'] });
  readGuests(form);
  expect(readSpaces(form)).toEqual(['x']);
  expect(form.problems.map(({ field }) => field)).toEqual(['guests', 'spaceIds']);
  expect(readGuests(new FormInput({ guests: '120' }))).toBe(120);
  expect(readGuests(new FormInput({}))).toBeNull();
});
