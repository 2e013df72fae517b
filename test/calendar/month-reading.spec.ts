import fc from 'fast-check';
import { toUuid } from '../../src/kernel/ids';
import { addDays, startOfDay } from '../../src/kernel/time-zone';
import { type MonthLimits, MonthQueries } from '../../src/modules/calendar/application/month-queries';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

const HOUR_MS = 3_600_000;
const DAYS = 14;
// With clock changes, and a day that was left out.
const WEEKS = [
  { zone: 'Europe/Madrid', first: '2027-03-22' },
  { zone: 'America/New_York', first: '2027-11-01' },
  { zone: 'Asia/Beirut', first: '2027-03-22' },
  { zone: 'Pacific/Apia', first: '2011-12-26' },
];

interface Planned {
  startsAt: Date;
  endsAt: Date;
  allDay: boolean;
}

let gala: TestGala;
let workspace: TestWorkspace;
beforeAll(async () => {
  gala = await startGala();
  workspace = await gala.createWorkspace();
});
afterAll(() => gala.stop());

async function store(entries: readonly Planned[]): Promise<void> {
  await sql(
    gala.databaseUrl,
    `WITH emptied AS (DELETE FROM calendar_events)
     INSERT INTO calendar_events (workspace_id, mode, id, type, title, starts_at, ends_at, time_zone, start_day, end_day,
       space_ids, status, sequence, created_at, updated_at)
     SELECT $1, 'live', gen_random_uuid(), 'visit', 'Visit ' || n, starts_at, ends_at, 'UTC',
       CASE WHEN all_day THEN DATE '2027-01-01' END, CASE WHEN all_day THEN DATE '2027-01-02' END, '{}', 'confirmed', 0,
       now(), now()
     FROM unnest($2::timestamptz[], $3::timestamptz[], $4::boolean[]) WITH ORDINALITY AS entry (starts_at, ends_at, all_day, n)`,
    [
      toUuid(workspace.id),
      entries.map(({ startsAt }) => startsAt),
      entries.map(({ endsAt }) => endsAt),
      entries.map(({ allDay }) => allDay),
    ],
  );
}

/** The days of an entry, from 0, if it is shown. */
function spanOf(
  { startsAt, endsAt, allDay }: Planned,
  starts: readonly Date[],
  end: Date,
  nightsOnce: boolean,
): [number, number] | undefined {
  if (startsAt >= end || endsAt <= starts[0]!) return undefined;
  const first = starts.findLastIndex((start) => start <= startsAt);
  const last = starts.findLastIndex((start) => start < endsAt);
  const isOnce = nightsOnce && !allDay && endsAt.getTime() - startsAt.getTime() < 24 * HOUR_MS;
  if (isOnce) return first < 0 ? undefined : [first, first];
  return [Math.max(0, first), last];
}

const planned = fc.record({
  start: fc.oneof(
    fc.integer({ min: -48, max: (DAYS + 1) * 24 }),
    fc.integer({ min: -2, max: DAYS }).map((day) => day * 24),
  ),
  hours: fc.oneof(fc.constantFrom(0.5, 8, 23, 24, 25, 48), fc.integer({ min: 1, max: 400 })),
  allDay: fc.boolean(),
});

test.each(WEEKS)('counts and places what is planned as its days say: $zone', async ({ zone, first }) => {
  const months = gala.app.get(MonthQueries, { strict: false });
  const starts = Array.from({ length: DAYS }, (_, index) => startOfDay(zone, addDays(first, index)));
  const end = startOfDay(zone, addDays(first, DAYS));
  await fc.assert(
    fc.asyncProperty(fc.array(planned, { maxLength: 25 }), fc.boolean(), async (given, nightsOnce) => {
      const entries = given.map(({ start, hours, allDay }) => {
        const startsAt = new Date(starts[0]!.getTime() + start * HOUR_MS);
        return { startsAt, endsAt: new Date(startsAt.getTime() + hours * HOUR_MS), allDay };
      });
      await store(entries);
      const limits: MonthLimits = { eachDay: 100, title: 100, nightsOnce };
      const ref = { workspaceId: workspace.id, mode: 'live' } as const;
      const read = await months.read(ref, { starts, end }, {}, limits);
      const spans = entries.map((entry) => spanOf(entry, starts, end, nightsOnce));
      const expected = spans.flatMap((span, index) => (span ? [[`Visit ${index + 1}`, ...span]] : []));
      const placed = read.entries.map(({ title, firstDay, lastDay }) => [title, firstDay, lastDay]);
      expect(placed.sort()).toEqual(expected.sort());
      expect(read.counts).toEqual(
        starts.map((_, day) => spans.filter((span) => span && span[0] <= day && span[1] >= day).length),
      );
    }),
    { numRuns: 40 },
  );
});
