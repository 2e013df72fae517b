import { Clock } from '../../src/kernel/clock';
import { type CalendarEventId, toUuid } from '../../src/kernel/ids';
import { CalendarFeeds } from '../../src/modules/calendar';
import { FeedReader } from '../../src/modules/calendar/application/feed-contents';
import { ChangeWorkspace } from '../../src/modules/workspaces';
import { createSpace, plan } from '../support/calendar';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { onConnection, sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { ownerOf } from '../workspaces/people';

const MAX_EVENTS = 10_000;
const MAX_EVENT_BYTES = 5 * 1024 * 1024;
const NOW = '2027-01-15T09:30:00.000Z';

const clock = new FakeClock(NOW);
let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let address: string;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
});
beforeEach(async () => {
  workspace = await gala.createWorkspace('Villa Aurora');
  client = await workspace.client();
  const feeds = gala.app.get(CalendarFeeds, { strict: false });
  const token = await feeds.create({ workspaceId: workspace.id, mode: 'live' }, await ownerOf(gala));
  address = `/v1/calendar.ics?token=${token}`;
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => gala.stop());

const get = (etag?: string) =>
  gala.anonymous.get(address, etag === undefined ? {} : { headers: { 'If-None-Match': etag } });
const path = ({ id }: { id: string }) => `/v1/calendar-events/${id}`;

/** Events of an hour each, named by their place in time, one every `everyMinutes` from `start` on. */
async function planMany(count: number, start: string, everyMinutes: number, description = ''): Promise<void> {
  await sql(
    gala.databaseUrl,
    `INSERT INTO calendar_events (workspace_id, mode, id, type, title, description, starts_at, ends_at, time_zone,
       space_ids, status, sequence, created_at, updated_at)
     SELECT $1, 'live', gen_random_uuid(), 'event', 'No ' || n, $5, at, at + interval '1 hour', 'UTC', '{}', 'confirmed', 0,
       now(), now()
     FROM generate_series(1, $2::int) AS n, LATERAL (SELECT $3::timestamptz + n * $4 * interval '1 minute' AS at) AS start`,
    [toUuid(workspace.id), count, start, everyMinutes, description],
  );
}

const numbersIn = (text: string) => [...text.matchAll(/^SUMMARY:No (\d+)\r$/gm)].map(([, n]) => Number(n));
const from = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

/** How often events were read for a feed. */
function countBuilds() {
  return jest.spyOn(gala.app.get(FeedReader, { strict: false }), 'pages');
}

describe('a feed', () => {
  test('is lines that end in CRLF, the last one too, with the zone before the events', async () => {
    await plan(client);
    const { text } = await get();
    expect(text).toMatch(/\r\nEND:VCALENDAR\r\n$/);
    expect(text.indexOf('X-WR-TIMEZONE:')).toBeLessThan(text.indexOf('BEGIN:VEVENT'));
    expect(text.match(/BEGIN:VCALENDAR|END:VCALENDAR/g)).toHaveLength(2);
  });

  test('is the same whatever calendar programs add to its address', async () => {
    await plan(client);
    const plain = await get();
    for (const more of ['&nocache=1', '&_=17&_=18', '&%F0%9F%92%8D=', '&limit=0']) {
      const answer = await gala.anonymous.get(address + more);
      expect([answer.status, answer.text]).toEqual([200, plain.text]);
    }
    expect((await gala.anonymous.get('/v1/calendar.ics?nocache=1')).status).toBe(422);
  });
});

describe('of too many events a feed', () => {
  test('leaves out the oldest, and says so', async () => {
    await planMany(MAX_EVENTS + 5, '2026-12-01T00:00:00Z', 60);
    const { status, text } = await get();
    expect(status).toBe(200);
    expect(numbersIn(text)).toEqual(from(6, MAX_EVENTS));
    expect(text.replaceAll('\r\n ', '')).toContain(
      'X-WR-CALDESC:This calendar is too large for calendar programs. The oldest events are left out',
    );
  });

  test('leaves out those furthest ahead when all past ones are out', async () => {
    await planMany(100, '2026-12-01T00:00:00Z', 60);
    await planMany(MAX_EVENTS + 5, '2027-02-01T00:00:00Z', 60);
    const { text } = await get();
    expect(numbersIn(text)).toEqual(from(1, MAX_EVENTS));
    expect(text).toContain('DTSTART:20270201T010000Z');
    expect(text).not.toContain('DTSTART:202612');
  });

  test('of 10,000 leaves out none', async () => {
    await planMany(MAX_EVENTS, '2026-12-01T00:00:00Z', 60);
    const { text } = await get();
    expect(numbersIn(text)).toHaveLength(MAX_EVENTS);
    expect(text).not.toContain('X-WR-CALDESC');
  });

  test('has at most 5 MiB of them', async () => {
    await planMany(1200, '2026-12-05T00:00:00Z', 60, 'Zwölf; Tische, '.repeat(333));
    const { text } = await get();
    const numbers = numbersIn(text);
    expect(numbers).toEqual(from(numbers[0]!, 1200 - numbers[0]! + 1));
    expect(numbers[0]).toBeGreaterThan(1);
    const bytes = Buffer.byteLength(text);
    expect(bytes).toBeLessThan(MAX_EVENT_BYTES + 2000);
    expect(bytes).toBeGreaterThan(MAX_EVENT_BYTES - 10_000);
    expect(text).toContain('X-WR-CALDESC');
  });
});

describe('a version', () => {
  test('that is known builds nothing, and one that is kept neither', async () => {
    await plan(client);
    const builds = countBuilds();
    const first = await get();
    expect(builds).toHaveBeenCalledTimes(1);
    expect((await get(first.headers.etag)).status).toBe(304);
    expect((await get(`W/"other", ${first.headers.etag}`)).status).toBe(304);
    expect((await get()).text).toBe(first.text);
    expect(builds).toHaveBeenCalledTimes(1);
    await plan(client, { title: 'Party' });
    expect((await get(first.headers.etag)).text).toContain('Party');
    expect(builds).toHaveBeenCalledTimes(2);
  });

  test('is built once for all who ask at once', async () => {
    await planMany(500, '2027-02-01T00:00:00Z', 60);
    const builds = countBuilds();
    const answers = await Promise.all(Array.from({ length: 20 }, () => get()));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(builds).toHaveBeenCalledTimes(1);
  });

  test('is another after every change of what the feed says, though no clock goes on', async () => {
    const space = await createSpace(client, { name: 'Garden' });
    const event = await plan(client, { spaceId: space.id });
    const settings = { name: 'Villa Aurora', timeZone: 'Europe/Madrid', currency: 'EUR' };
    const changeWorkspace = async (changed: Partial<typeof settings>) =>
      gala.app
        .get(ChangeWorkspace, { strict: false })
        .execute(workspace.id, await ownerOf(gala), Object.assign(settings, changed));
    const changes: (() => Promise<unknown>)[] = [
      () => client.patch(path(event), { title: 'Party' }),
      () => client.patch(path(event), { title: 'Wedding' }),
      () => client.patch(path(event), { description: 'At noon' }),
      () => client.delete(path(event)),
      () => client.patch(path(event), { status: 'confirmed' }),
      () => plan(client, { title: 'Another' }),
      () => client.patch(`/v1/spaces/${space.id}`, { name: 'Terrace' }),
      () => changeWorkspace({ name: 'Aurora' }),
      () => changeWorkspace({ timeZone: 'Europe/Lisbon' }),
    ];
    let { text, headers } = await get();
    const etags = new Set([headers.etag]);
    for (const change of changes) {
      await change();
      const next = await get(headers.etag);
      expect(next.status).toBe(200);
      expect(next.text).not.toBe(text);
      ({ text, headers } = next);
      etags.add(headers.etag);
    }
    expect(etags.size).toBe(changes.length + 1);
  });

  test('is another when the clock of who changed something was behind', async () => {
    const event = await plan(client);
    const first = await get();
    clock.advance(-3600);
    await client.patch(path(event), { title: 'Party' });
    clock.advance(3600);
    const next = await get(first.headers.etag);
    expect(next.status).toBe(200);
    expect(next.text).toContain('SUMMARY:Party');
  });

  test('is another when a change is committed after a later one was', async () => {
    const [slow, quick] = [await plan(client), await plan(client)];
    await onConnection(gala.databaseUrl, async (connection) => {
      await connection.query('BEGIN');
      await connection.query(
        `UPDATE calendar_events SET title = 'Slow', sequence = sequence + 1 WHERE id = $1`,
        [toUuid(slow.id as CalendarEventId)],
      );
      await client.patch(path(quick), { title: 'Quick' });
      const between = await get();
      await connection.query('COMMIT');
      const after = await get(between.headers.etag);
      expect(between.text).not.toContain('SUMMARY:Slow');
      expect(after.status).toBe(200);
      expect(after.text).toContain('SUMMARY:Slow');
    });
  });

  test('lasts for a day at most, since the range moves on', async () => {
    await plan(client, { title: 'Old', startsAt: '2026-01-14T10:00:00Z', endsAt: '2026-01-14T12:00:00Z' });
    const first = await get();
    expect(first.text).toContain('SUMMARY:Old');
    clock.advance(86_400);
    const next = await get(first.headers.etag);
    clock.advance(-86_400);
    expect(next.status).toBe(200);
    expect(next.text).not.toContain('SUMMARY:Old');
  });
});

test('events with long descriptions in every script are read as they were written', async () => {
  const description = 'Zwölf Tische 👩🏽‍🍳, „unter“ den Bäumen; 你好 '.repeat(100).trim();
  await plan(client, { description });
  const { text } = await get();
  const unfolded = text.replaceAll('\r\n ', '');
  const [, written] = /^DESCRIPTION:(.*)\r$/m.exec(unfolded)!;
  expect(written!.replace(/\\([\\;,])/g, '$1')).toBe(description);
});
