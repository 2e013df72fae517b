import { Clock } from '../../src/kernel/clock';
import { type Id, toUuid } from '../../src/kernel/ids';
import type { Browser } from '../../src/testing/browser';
import { createSpace, plan } from '../support/calendar';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { place } from '../holds/support';

let gala: TestGala;
let client: Client;
let browser: Browser;
let path: string;
let workspaceId: string;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: new FakeClock() }] });
});
beforeEach(async () => {
  const workspace = await gala.createWorkspace();
  workspaceId = toUuid(workspace.id);
  client = await workspace.client();
  browser = await workspace.browser();
  path = `/settings/${workspace.id}/live/calendar/availability`;
});
afterAll(() => gala.stop());

async function read(query = ''): Promise<string> {
  const { status, text } = await browser.get(path + query);
  expect(status).toBe(200);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(100 * 1024);
  return text;
}

/** The words of each space, by day from 1. */
function words(text: string): Record<string, string[]> {
  const rows = [...text.matchAll(/<th scope="row">([^<]*)(.*?)<\/tr>/g)];
  return Object.fromEntries(
    rows.map(([, name, cells]) => [
      name,
      [...cells!.matchAll(/<td[^>]*><a [^>]*>(\w+)</g)].map(([, word]) => word!),
    ]),
  );
}

test('tells of each space whether it is free, seen, held or taken on each day', async () => {
  const garden = await createSpace(client, { name: 'Garden', capacity: 200, clearingMinutes: 60 });
  const hall = await createSpace(client, { name: 'Hall' });
  await plan(client, { spaceId: garden.id });
  await plan(client, {
    ...{ type: 'visit', spaceId: hall.id, startsAt: '2027-06-01T10:00:00Z', endsAt: '2027-06-01T11:00:00Z' },
  });
  await place(client, { spaceId: hall.id, startsAt: '2027-06-03T10:00:00Z', endsAt: '2027-06-03T12:00:00Z' });
  const text = await read('?month=2027-06');
  const shown = words(text);
  expect(Object.keys(shown)).toEqual(['Garden', 'Hall']);
  expect(shown.Garden).toHaveLength(30);
  expect(shown.Garden!.slice(10, 14)).toEqual(['free', 'taken', 'taken', 'free']);
  expect(shown.Hall!.slice(0, 4)).toEqual(['visit', 'free', 'held', 'free']);
  expect(text).toContain('Up to 200 guests');
  expect(text).toContain(`href="${path.replace('availability', 'days/2027-06-12')}"`);
});

test('shows this month unless asked for another, with today', async () => {
  await createSpace(client);
  expect(await read()).toContain('<h2>January 2027</h2>');
  expect(await read('?month=x')).toMatch(/aria-current="date"><span>Fri<\/span>15/);
  expect(await read('?month=2028-02')).toContain('>29</th>');
});

test('without spaces says how to add them', async () => {
  expect(await read()).toContain('No spaces yet');
});

test('shows twelve spaces at a time', async () => {
  for (let index = 10; index < 25; index++)
    await createSpace(client, { name: `${index} ${'Long name '.repeat(8)}` });
  expect(Object.keys(words(await read()))).toHaveLength(12);
  const second = await read('?page=2');
  expect(Object.keys(words(second)).map((name) => name.slice(0, 2))).toEqual(['22', '23', '24']);
  expect(second).toContain('page=1');
  expect(Object.keys(words(await read('?page=99')))).toHaveLength(3);
  expect(Object.keys(words(await read('?page=x')))).toHaveLength(12);
});

test('a month with more than can be worked out says so', async () => {
  const { id } = await createSpace(client);
  await sql(
    gala.databaseUrl,
    `INSERT INTO calendar_events (workspace_id, mode, id, type, title, starts_at, ends_at, time_zone, space_ids, status,
       sequence, created_at, updated_at)
     SELECT $1, 'live', gen_random_uuid(), 'hold', 'Hold', '2027-06-01', '2027-06-30', 'UTC', ARRAY[$2::uuid], 'confirmed', 1,
       now(), now() FROM generate_series(1, 1000)`,
    [workspaceId, toUuid(id as Id<'space'>)],
  );
  const text = await read('?month=2027-06');
  expect(text).toContain('more entries than can be worked out at once');
  expect(words(text)).toEqual({});
});
