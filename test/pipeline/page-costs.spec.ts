import { type Id, toUuid } from '../../src/kernel/ids';
import { pathOf, sent, visitor } from '../proposals/support';
import { createSpace } from '../support/calendar';
import { cpuTimeOf } from '../support/cpu-time';
import type { PageClient } from '../support/page-client';
import { browserOf } from '../support/people';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

/** Of processor time, for one page: the service's and the client's. */
const LIMIT_MS = 150;
const BOUNDS = { usualMs: 30, limitMs: LIMIT_MS };
const LIMIT_BYTES = 300_000;

let gala: TestGala;
let workspace: TestWorkspace;
beforeAll(async () => {
  gala = await startGala();
  workspace = await gala.createWorkspace();
});
afterAll(() => gala.stop());

async function expectCheap(browser: PageClient, path: string, mostBytes = LIMIT_BYTES): Promise<void> {
  let bytes = 0;
  const ms = await cpuTimeOf(async () => {
    const { status, text } = await browser.get(path);
    expect(status).toBe(200);
    bytes = Buffer.byteLength(text);
  }, BOUNDS);
  console.info(`${ms.toFixed()} ms, ${(bytes / 1024).toFixed()} KiB`);
  expect(ms).toBeLessThan(LIMIT_MS);
  expect(bytes).toBeLessThan(mostBytes);
}

describe('the pages of a calendar', () => {
  const MOST_BYTES = 100 * 1024;
  let owner: PageClient;
  let calendar: string;
  beforeAll(async () => {
    owner = await browserOf(gala, 'owner@example.com');
    calendar = `/settings/${workspace.id}/test/calendar`;
  });
  afterEach(() => sql(gala.databaseUrl, `DELETE FROM calendar_events WHERE mode = 'test'`));
  const fill = (count: number, [from, to]: [string, string]) =>
    sql(
      gala.databaseUrl,
      `INSERT INTO calendar_events (workspace_id, mode, id, type, title, description, starts_at, ends_at, time_zone, space_ids,
         status, sequence, created_at, updated_at)
       SELECT $1, 'test', gen_random_uuid(), 'hold', repeat('😀', 190), repeat('<', 5000), ${from}, ${to}, 'UTC',
         '{}', 'confirmed', 1, now(), now() FROM generate_series(1, ${count}) AS n`,
      [toUuid(workspace.id)],
    );

  test('a month and a day with 1,500 holds over the year', async () => {
    await fill(1500, [`'2027-01-01'`, `'2027-12-01'`]);
    await expectCheap(owner, `${calendar}?month=2027-05`, MOST_BYTES);
    await expectCheap(owner, `${calendar}/days/2027-05-10`, MOST_BYTES);
  });

  test('a month with 5,000 entries', async () => {
    const start = `timestamptz '2027-05-01T08:00:00Z' + (n % 31) * interval '1 day'`;
    await fill(5000, [start, `${start} + interval '9 hours'`]);
    await expectCheap(owner, `${calendar}?month=2027-05`, MOST_BYTES);
  });
});

test('a client’s page of a proposal with 100 long items', async () => {
  const lineItems = Array.from({ length: 100 }, () => ({
    description: '😀'.repeat(500),
    unit: 'flat',
    unitAmount: 1,
  }));
  const offer = await sent(await workspace.client(), { lineItems });
  await expectCheap(visitor(gala.baseUrl), pathOf(offer));
});

describe('availability of a year', () => {
  const REFUSED_MS = 100;
  const path = '/v1/availability?from=2027-01-01&to=2027-12-31';
  const hold = (space: string, count: number, [from, to]: [string, string]) =>
    sql(
      gala.databaseUrl,
      `INSERT INTO calendar_events (workspace_id, mode, id, type, title, starts_at, ends_at, time_zone, space_ids, status,
         sequence, created_at, updated_at)
       SELECT $1, 'live', gen_random_uuid(), 'hold', 'Hold', $3, $4, 'UTC', ARRAY[$2::uuid], 'confirmed', 1, now(), now()
       FROM generate_series(1, $5)`,
      [toUuid(workspace.id), toUuid(space as Id<'space'>), from, to, count],
    );

  test.each<[string, number, [string, string]]>([
    ['days', 1000, ['2027-03-20T00:00:00Z', '2027-04-09T00:00:00Z']],
    ['moments, over midnight', 10_000, ['2027-07-03T23:59:59.999Z', '2027-07-04T00:00:00.001Z']],
  ])('20,000 entries are told, and one more is refused without being read: %s', async (_, count, hours) => {
    workspace = await gala.createWorkspace();
    await sql(gala.databaseUrl, `UPDATE workspaces SET time_zone = 'UTC' WHERE id = $1`, [
      toUuid(workspace.id),
    ]);
    const client = await workspace.client();
    const { id } = await createSpace(client);
    await hold(id, count, hours);
    expect((await client.get(path)).status).toBe(200);
    await hold(id, 1, ['2027-07-07T10:00:00Z', '2027-07-07T11:00:00Z']);
    const ms = await cpuTimeOf(async () => expect((await client.get(path)).status).toBe(422), {
      usualMs: REFUSED_MS / 2,
      limitMs: REFUSED_MS,
    });
    console.info(`${ms.toFixed()} ms`);
    expect(ms).toBeLessThan(REFUSED_MS);
  });
});
