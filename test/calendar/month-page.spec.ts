import { Clock } from '../../src/kernel/clock';
import { toUuid } from '../../src/kernel/ids';
import { plan } from '../support/calendar';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import type { PageClient } from '../support/page-client';
import { browserOf } from '../support/people';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
let client: Client;
let browser: PageClient;
let page: string;
beforeAll(async () => {
  gala = await startGala({
    overrides: [{ provide: Clock, useValue: new FakeClock('2027-01-31T23:30:00Z') }],
  });
  const workspace = await gala.createWorkspace('Villa Aurora');
  client = await workspace.client('test');
  browser = await browserOf(gala, 'owner@example.com');
  page = `/settings/${workspace.id}/test/calendar`;
});
afterAll(() => gala.stop());

/** What each day of the table says. */
async function days(query = ''): Promise<Map<string, string>> {
  const { status, text } = await browser.get(page + query);
  expect(status).toBe(200);
  const cells = [...text.matchAll(/<time datetime="(\d{4}-\d\d-\d\d)">.*?<\/time>(.*?)<\/td>/g)];
  return new Map(cells.map(([, day, rest]) => [day!, rest!.replace(/<[^>]*>/g, '')]));
}

test('the month is that of the workspace’s today, in whole weeks', async () => {
  // In Madrid it is half past midnight on the first of February already.
  const shown = [...(await days()).keys()];
  expect([shown[0], shown.at(-1), shown.length]).toEqual(['2027-02-01', '2027-02-28', 28]);
  expect((await browser.get(page)).text).toMatch(/aria-current="date"><time datetime="2027-02-01">/);
});

test('what is planned stands on each of its days, by the workspace’s clock', async () => {
  await plan(client, {
    title: 'Night <b>',
    startsAt: '2027-03-27T22:30:00Z',
    endsAt: '2027-03-28T02:00:00Z',
  });
  await plan(client, { type: 'block', title: 'Works', startsAt: '2027-03-28', endsAt: '2027-03-30' });
  const cancelled = await plan(client, { title: 'Off', startsAt: '2027-03-28', endsAt: '2027-03-29' });
  await client.delete(`/v1/calendar-events/${cancelled.id}`);
  const march = await days('?month=2027-03');
  expect(march.get('2027-03-27')).toBe('23:30 Event: Night &lt;b>');
  expect(march.get('2027-03-28')).toBe('until 04:00 Event: Night &lt;b>Block: Works');
  expect(march.get('2027-03-29')).toBe('Block: Works');
  expect(march.get('2027-03-30')).toBe('');
});

test('a crowded month stays small: each day shows a few entries with short titles, and counts the rest', async () => {
  const other = await gala.createWorkspace();
  await sql(
    gala.databaseUrl,
    `INSERT INTO calendar_events (workspace_id, mode, id, type, title, description, starts_at, ends_at, time_zone, start_day,
       end_day, space_ids, status, sequence, created_at, updated_at)
     SELECT $1, 'test', gen_random_uuid(), 'hold', repeat('😀', 190), repeat('x', 2000), '2027-01-01', '2027-12-01',
       'UTC', '2027-01-01', '2027-12-01', '{}', 'confirmed', 1, now(), now() FROM generate_series(1, 1500)`,
    [toUuid(other.id)],
  );
  const visitor = await browserOf(gala, 'owner@example.com');
  const { status, text } = await visitor.get(`/settings/${other.id}/test/calendar?month=2027-05`);
  expect(status).toBe(200);
  expect(text.match(/\+ 1495 more/g)).toHaveLength(42);
  expect(text).toContain(`Hold: </span>${'😀'.repeat(80)}…</li>`);
  expect(Buffer.byteLength(text)).toBeLessThan(300_000);
});

test.each(['1900-01', '2027-13', '2027', 'x', '3000-01', '2027-02-01', '%00'])(
  'an address with the month %s shows this one',
  async (month) => {
    expect([...(await days(`?month=${month}`)).keys()][0]).toBe('2027-02-01');
  },
);

test.each([
  ['1900-02', '1900-01-29'],
  ['2028-02', '2028-01-31'],
  ['2999-12', '2999-11-25'],
])('the month %s begins with its week', async (month, first) => {
  expect([...(await days(`?month=${month}`)).keys()][0]).toBe(first);
});

test('a link is shown once, works, and is revoked by the page', async () => {
  const made = await browser.submit(`${page}/link`, {}, { on: page });
  expect(made.status).toBe(201);
  const address = /http:\/\/localhost:3000(\/v1\/calendar\.ics\?token=[\w-]{43})/.exec(made.text)![1]!;
  const feed = await gala.anonymous.get(address);
  expect(feed.text).toContain('X-WR-CALNAME:Villa Aurora (test)');
  const after = (await browser.get(page)).text;
  expect(after).not.toContain(address.split('=')[1]);
  expect(after).toContain('Your link was created on');
  const revoked = await browser.submit(`${page}/link/revoke`, {}, { on: page });
  expect(revoked.headers.location).toBe(`${page}?notice=revoked`);
  expect((await gala.anonymous.get(address)).status).toBe(404);
  expect((await browser.get(page)).text).toContain('You have no link');
});
