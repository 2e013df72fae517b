import fc from 'fast-check';
import {
  type AvailabilityQuestion,
  expectedAvailability,
} from '../../../../test/support/availability-oracle';
import { type CalendarEventId, newId, type SpaceId } from '../../../kernel/ids';
import { addDays, DAY_MS, startOfDay } from '../../../kernel/time-zone';
import { availabilityOf, daysOf, type Use } from './availability';
import { EVENT_TYPES } from './calendar-event';
import type { SpaceView } from './space';

const HOUR_MS = DAY_MS / 24;

// Zones with clock changes, some at midnight. Apia skipped the last Friday of 2011.
const PLACES = [
  { timeZone: 'UTC', near: '2027-06-10' },
  { timeZone: 'Europe/Madrid', near: '2027-03-25' },
  { timeZone: 'America/New_York', near: '2027-11-03' },
  { timeZone: 'Asia/Beirut', near: '2027-03-24' },
  { timeZone: 'Pacific/Apia', near: '2011-12-27' },
];

const space = (capacity: number | null): SpaceView => ({
  id: newId('space'),
  name: 'Garden',
  capacity,
  setupMinutes: 0,
  clearingMinutes: 0,
  archivedAt: null,
  createdAt: new Date(0),
  revision: 1,
  updatedAt: new Date(0),
});
const SPACES = [space(null), space(50), space(100)];
const ELSEWHERE = newId('space');
const EVENTS: CalendarEventId[] = Array.from({ length: 6 }, () => newId('cal'));

/** Instants around the requested days, often exactly at the beginning of one. */
const instants = (timeZone: string, near: string) =>
  fc.oneof(
    fc.integer({ min: -3, max: 12 }).map((days) => startOfDay(timeZone, addDays(near, days)).getTime()),
    fc.integer({ min: -72, max: 300 }).map((hours) => startOfDay(timeZone, near).getTime() + hours * HOUR_MS),
  );

const questions = fc.constantFrom(...PLACES).chain(({ timeZone, near }) =>
  fc.record({
    question: fc
      .record({
        days: fc.integer({ min: 0, max: 9 }),
        guests: fc.option(fc.integer({ min: 1, max: 120 }), { nil: undefined }),
      })
      .map(({ days, guests }) => ({ from: near, to: addDays(near, days), timeZone, guests })),
    uses: fc.array(
      fc
        .record({
          eventId: fc.constantFrom(...EVENTS),
          type: fc.constantFrom(...EVENT_TYPES),
          spaceIds: fc.subarray<SpaceId>([...SPACES.map(({ id }) => id), ELSEWHERE], { minLength: 1 }),
          start: instants(timeZone, near),
          milliseconds: fc.oneof(
            fc.constantFrom(1, DAY_MS, 2 * DAY_MS),
            fc.integer({ min: 1, max: 5 * DAY_MS }),
          ),
        })
        .map(({ start, milliseconds, ...use }): Use => ({
          ...use,
          from: new Date(start),
          to: new Date(start + milliseconds),
        })),
      { maxLength: 30 },
    ),
  }),
);

const answerTo = (
  { from, to, timeZone, guests }: AvailabilityQuestion,
  spaces: readonly SpaceView[],
  uses: readonly Use[],
) => availabilityOf(daysOf(from, to, timeZone), spaces, uses, guests);

test('says what each day finds out by looking through all uses', async () => {
  await fc.assert(
    fc.asyncProperty(questions, async ({ question, uses }) => {
      expect(await answerTo(question, SPACES, uses)).toEqual(expectedAvailability(question, SPACES, uses));
    }),
    { numRuns: 500 },
  );
});

const aYear = { from: '2027-01-01', to: '2027-12-31', timeZone: 'Europe/Madrid' };
const holds = (count: number, days: number): Use[] =>
  Array.from({ length: count }, () => ({
    eventId: newId('cal'),
    type: 'hold',
    spaceIds: [SPACES[0]!.id],
    from: startOfDay('Europe/Madrid', '2027-05-01'),
    to: startOfDay('Europe/Madrid', addDays('2027-05-01', days)),
  }));

test('holds at most 20,000 entries, each use on each of its days', async () => {
  const filled = await answerTo(aYear, SPACES, holds(1000, 20));
  expect(filled.flatMap(({ spaces }) => spaces.flatMap(({ eventIds }) => eventIds))).toHaveLength(20_000);
  await expect(answerTo(aYear, SPACES, [...holds(1000, 20), ...holds(1, 1)])).rejects.toThrow(
    'takes in more than 20000 entries',
  );
});

test('takes as long as there are uses and days, not as long as their product', async () => {
  const spaces = Array.from({ length: 100 }, () => space(null));
  const uses: Use[] = Array.from({ length: 20_000 }, (_, index) => ({
    eventId: newId('cal'),
    type: 'hold',
    spaceIds: [spaces[index % 100]!.id],
    from: new Date(Date.UTC(2027, 0, 2 + (index % 360), 12)),
    to: new Date(Date.UTC(2027, 0, 2 + (index % 360), 13)),
  }));
  let looks = 0;
  const watched = uses.map((use) => ({
    ...use,
    get from() {
      looks++;
      return use.from;
    },
  }));
  await answerTo(aYear, spaces, watched);
  expect(looks).toBeLessThanOrEqual(2 * uses.length);
});
