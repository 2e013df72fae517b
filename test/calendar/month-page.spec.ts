import { Clock } from '../../src/kernel/clock';
import { toUuid } from '../../src/kernel/ids';
import { Database } from '../../src/platform/persistence/database';
import { createSpace, plan } from '../support/calendar';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import type { PageClient } from '../support/page-client';
import { browserOf } from '../support/people';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';

const clock = new FakeClock('2027-01-31T23:30:00Z');
let gala: TestGala;
let client: Client;
let browser: PageClient;
let page: string;
beforeAll(async () => {
  gala = await startGala({
    overrides: [{ provide: Clock, useValue: clock }],
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
  const cells = [
    ...text.matchAll(/<td [^>]*><a [^>]*><time datetime="(\d{4}-\d\d-\d\d)">.*?<\/time>(.*?)<\/td>/g),
  ];
  return new Map(cells.map(([, day, rest]) => [day!, rest!.replace(/<[^>]*>/g, '')]));
}

test('the month is that of the workspace’s today, in whole weeks', async () => {
  // In Madrid it is half past midnight on the first of February already.
  const shown = [...(await days()).keys()];
  expect([shown[0], shown.at(-1), shown.length]).toEqual(['2027-02-01', '2027-02-28', 28]);
  expect((await browser.get(page)).text).toMatch(/aria-current="date"><a [^>]*><time datetime="2027-02-01">/);
});

test('an entry tells its times, title, space and guests, and leads to its page', async () => {
  const { id: spaceId } = await createSpace(client, { name: 'Garden Pavilion' });
  const wedding = await plan(client, {
    title: 'Wedding of Lucía <b>',
    spaceId,
    guests: 120,
    startsAt: '2027-05-08T14:00:00Z',
    endsAt: '2027-05-09T00:00:00Z',
  });
  await plan(client, {
    type: 'visit',
    title: 'Zoë',
    startsAt: '2027-05-08T08:00:00Z',
    endsAt: '2027-05-08T09:00:00Z',
  });
  const may = await days('?month=2027-05');
  expect(may.get('2027-05-08')).toBe(
    '10:00–11:00 Zoë · Visit16:00–02:00 Wedding of Lucía &lt;b> · Garden Pavilion · 120',
  );
  expect(may.get('2027-05-09')).toBe('');
  expect((await browser.get(`${page}?month=2027-05`)).text).toContain(`href="${page}/events/${wedding.id}"`);
});

test('a short night stands on the day on which it begins, also when clocks change in it', async () => {
  const night = { startsAt: '2027-03-27T22:30:00Z', endsAt: '2027-03-28T02:00:00Z' };
  await plan(client, { title: 'Night', ...night });
  await plan(client, { type: 'block', title: 'Works', startsAt: '2027-03-28', endsAt: '2027-03-30' });
  const cancelled = await plan(client, { title: 'Off', startsAt: '2027-03-28', endsAt: '2027-03-29' });
  await client.delete(`/v1/calendar-events/${cancelled.id}`);
  const march = await days('?month=2027-03');
  expect(march.get('2027-03-27')).toBe('23:30–04:00 Night');
  expect(march.get('2027-03-28')).toBe('Works · Block');
  expect(march.get('2027-03-29')).toBe('Works · Block');
  expect(march.get('2027-03-30')).toBe('');
});

test('an entry of several days is a bar in each of its weeks', async () => {
  await plan(client, {
    title: 'Festival',
    startsAt: '2027-07-09T10:00:00Z',
    endsAt: '2027-07-13T10:00:00Z',
  });
  const { text } = await browser.get(`${page}?month=2027-07`);
  const bars = [...text.matchAll(/<li class="chip event (l\d[^"]*)">/g)].map(([, classes]) => classes);
  // From Friday to Sunday, and from Monday to Tuesday.
  expect(bars).toEqual(['l0 w3', 'l0 goes-on', 'l0 goes-on', 'l0 w2', 'l0 goes-on']);
  expect(await days('?month=2027-07')).toEqual(
    expect.objectContaining(new Map([['2027-07-09', 'from 12:00 Festival']])),
  );
});

test('a day shows three entries, counts the others, and leads to its page', async () => {
  for (const hour of ['08', '09', '10', '11', '12']) {
    const [startsAt, endsAt] = [`2027-08-20T${hour}:00:00Z`, `2027-08-20T${hour}:30:00Z`];
    await plan(client, { type: 'visit', title: `At ${hour}`, startsAt, endsAt });
  }
  expect((await days('?month=2027-08')).get('2027-08-20')).toBe(
    '10:00–10:30 At 08 · Visit11:00–11:30 At 09 · Visit12:00–12:30 At 10 · Visit+2 more',
  );
  const { text } = await browser.get(`${page}?month=2027-08`);
  expect(text).toContain(`<a href="${page}/days/2027-08-20" class="more">+2 more</a>`);
  expect(text).toContain(`<a href="${page}/days/2027-08-21" class="date">`);
});

test('filters by space and type, and keeps them in its links', async () => {
  const hall = await createSpace(client, { name: 'Hall' });
  const at = (hour: number) => ({
    startsAt: `2027-09-04T${hour}:00:00Z`,
    endsAt: `2027-09-04T${hour + 1}:00:00Z`,
  });
  await plan(client, { title: 'In the hall', spaceId: hall.id, ...at(10) });
  await plan(client, { title: 'Visit to the hall', type: 'visit', spaceId: hall.id, ...at(12) });
  await plan(client, { title: 'Elsewhere', type: 'visit', ...at(14) });
  const on = async (query: string) => (await days(`?month=2027-09&${query}`)).get('2027-09-04');
  expect(await on(`space=${hall.id}`)).toMatch(/In the hall.*Visit to the hall/);
  expect(await on('type=visit')).toMatch(/Visit to the hall.*Elsewhere/);
  expect(await on(`space=${hall.id}&type=visit`)).toBe('14:00–15:00 Visit to the hall · Visit · Hall');
  expect(await on('space=x&type=unknown')).toMatch(/In the hall.*Elsewhere/);
  const { text } = await browser.get(`${page}?month=2027-09&space=${hall.id}&type=visit`);
  const kept = `space=${hall.id}&amp;type=visit`;
  for (const address of [`?month=2027-08&amp;${kept}`, `?month=2027-10&amp;${kept}`, `?${kept}`]) {
    expect(text).toContain(`href="${page}${address}"`);
  }
  expect(text).toContain(`href="${page}/days/2027-09-05?${kept}"`);
  expect(text).toContain(`href="${page}/export?month=2027-09&amp;${kept}"`);
});

test('on a phone the current month begins with today, and leads to the days before', async () => {
  const past = async (query: string) =>
    (await browser.get(page + query)).text.match(/class="day[^"]* past/g)?.length;
  await plan(client, { title: 'Today', startsAt: '2027-02-01', endsAt: '2027-02-02' });
  expect(await past('')).toBeUndefined();
  clock.advance(3 * 86_400);
  try {
    expect(await past('')).toBe(3);
    expect((await browser.get(page)).text).toContain(`href="${page}?month=2027-02&amp;days=all"`);
    expect(await past('?month=2027-02&days=all')).toBeUndefined();
    expect(await past('?month=2027-01')).toBeUndefined();
  } finally {
    clock.advance(-3 * 86_400);
  }
});

describe('a crowded month', () => {
  let visitor: PageClient;
  let crowded: string;
  let id: string;
  beforeAll(async () => {
    const other = await gala.createWorkspace();
    id = toUuid(other.id);
    visitor = await browserOf(gala, 'owner@example.com');
    crowded = `/settings/${other.id}/test/calendar`;
  });
  afterEach(() => sql(gala.databaseUrl, 'DELETE FROM calendar_events WHERE workspace_id = $1', [id]));

  const fill = (count: number, title: string, [from, to]: [string, string]) =>
    sql(
      gala.databaseUrl,
      `INSERT INTO calendar_events (workspace_id, mode, id, type, title, description, starts_at, ends_at, time_zone, space_ids,
         guests, status, sequence, created_at, updated_at)
       SELECT $1, 'test', gen_random_uuid(), 'hold', ${title}, repeat('x', 2000), ${from}, ${to}, 'UTC', '{}', 120,
         'confirmed', 1, now(), now() FROM generate_series(1, ${count}) AS n`,
      [id],
    );
  async function read(): Promise<string> {
    const { status, text } = await visitor.get(`${crowded}?month=2027-05`);
    expect(status).toBe(200);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(100 * 1024);
    return text;
  }

  test('of entries that go on all the time shows three and counts the rest', async () => {
    await fill(1500, `repeat('😀', 190)`, [`'2027-01-01'`, `'2027-12-01'`]);
    const text = await read();
    expect(text.match(/\+1497 more/g)).toHaveLength(42);
    expect(text).toContain(`<bdi>${'😀'.repeat(60)}…</bdi>`);
  });

  test('with 5,000 entries reads what it shows', async () => {
    const start = `'2027-05-01T08:00:00Z'::timestamptz + (n % 31) * interval '1 day' + (n % 7) * interval '1 hour'`;
    await fill(5000, `repeat('<', 200)`, [start, `${start} + interval '9 hours'`]);
    const spy = jest.spyOn(Database.prototype, 'sql');
    const text = await read();
    const results = await Promise.all(spy.mock.results.map(({ value }) => value as Promise<unknown[]>));
    spy.mockRestore();
    expect(Math.max(...results.map((rows) => rows.length))).toBeLessThanOrEqual(42 * 3);
    expect(text.match(/\+15[89] more/g)).toHaveLength(31);
  });

  test('with more than are counted says so', async () => {
    await fill(6001, `'Hold'`, [`'2027-05-01T08:00:00Z'`, `'2027-05-01T09:00:00Z'`]);
    expect(await read()).toContain('These weeks have more than 6,000 entries.');
  });
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
