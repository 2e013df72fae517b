import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import { Clock } from '../../src/kernel/clock';
import type { Mode } from '../../src/kernel/principal';
import { CalendarFeeds } from '../../src/modules/calendar';
import { RemoveMember } from '../../src/modules/workspaces';
import { createSpace, type EventBody, plan } from '../support/calendar';
import { expectRefusal } from '../support/expect-refusal';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { memberOf, ownerOf } from '../workspaces/people';
import { testWith } from '../support/requirements';

const clock = new FakeClock();
let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
});
beforeEach(async () => {
  workspace = await gala.createWorkspace('Villa Aurora');
  client = await workspace.client();
});
afterAll(() => gala.stop());

const feeds = () => gala.app.get(CalendarFeeds, { strict: false });
const link = async (mode: Mode = 'live') =>
  `/v1/calendar.ics?token=${await feeds().create({ workspaceId: workspace.id, mode }, await ownerOf(gala))}`;
const fetchFeed = async (path: string) => {
  const { status, text } = await gala.anonymous.get(path);
  expect(status).toBe(200);
  return text;
};
const path = ({ id }: { id: string }) => `/v1/calendar-events/${id}`;
const eventsIn = (text: string) =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((each) => new ICAL.Event(each));

describe('the feed', () => {
  test('tells of every event, as ical.js reads it', async () => {
    const space = await createSpace(client, { name: 'Garden; Pavilion' });
    const wedding = await plan(client, {
      title: 'Wedding, Ana & Luis',
      description: 'Dinner at eight;\nunder the trees\\',
      location: 'Gate 2',
      spaceId: space.id,
    });
    const days = await plan(client, {
      type: 'block',
      title: 'Works',
      startsAt: '2027-03-28',
      endsAt: '2027-03-30',
    });
    const hold = await plan(client, { type: 'hold', title: 'Zoë' });
    const text = await fetchFeed(await link());
    const found = new Map(eventsIn(text).map((event) => [event.uid, event]));
    expect([...found.keys()].sort()).toEqual([wedding, days, hold].map(({ id }) => `${id}@gala`).sort());
    const timed = found.get(`${wedding.id}@gala`)!;
    expect(timed).toMatchObject({
      summary: 'Wedding, Ana & Luis',
      description: 'Dinner at eight;\nunder the trees\\',
      location: 'Gate 2, Garden; Pavilion',
      sequence: 0,
    });
    expect(timed.startDate.toString()).toBe('2027-06-12T16:00:00Z');
    expect(timed.endDate.toString()).toBe('2027-06-13T01:00:00Z');
    const whole = found.get(`${days.id}@gala`)!;
    expect([whole.startDate.isDate, whole.startDate.toString(), whole.endDate.toString()]).toEqual([
      true,
      '2027-03-28',
      '2027-03-30',
    ]);
    const property = (event: EventBody, name: string) =>
      found.get(`${event.id}@gala`)!.component.getFirstPropertyValue(name);
    expect(property(wedding, 'status')).toBe('CONFIRMED');
    expect(property(hold, 'status')).toBe('TENTATIVE');
    expect(property(hold, 'transp')).toBe('TRANSPARENT');
  });

  test('is a calendar with a name, in lines as RFC 5545 has them', async () => {
    await plan(client, { title: 'é'.repeat(300) });
    const text = await fetchFeed(await link('live'));
    for (const line of text.split('\r\n')) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(line).not.toContain('\n');
    }
    expect(text).toContain('X-WR-CALNAME:Villa Aurora\r\n');
    expect(text).toContain('X-WR-TIMEZONE:Europe/Madrid\r\n');
    expect(await fetchFeed(await link('test'))).toContain('X-WR-CALNAME:Villa Aurora (test)');
  });

  test('says the same to node-ical', async () => {
    const wedding = await plan(client);
    const days = await plan(client, { title: 'Days', startsAt: '2027-10-30', endsAt: '2027-11-01' });
    const parsed = nodeIcal.sync.parseICS(await fetchFeed(await link()));
    const timed = parsed[`${wedding.id}@gala`] as nodeIcal.VEvent;
    expect([timed.start.toISOString(), timed.end.toISOString()]).toEqual([wedding.startsAt, wedding.endsAt]);
    expect(timed).toMatchObject({ summary: 'Wedding', status: 'CONFIRMED', sequence: '0' });
    const whole = parsed[`${days.id}@gala`] as nodeIcal.VEvent;
    expect(whole.datetype).toBe('date');
    expect([whole.start, whole.end].map((at) => at.getDate())).toEqual([30, 1]);
  });

  testWith('khal')('shows the right local times in khal, a calendar program', async () => {
    await plan(client, { title: 'Summer' });
    await plan(client, { title: 'Gap', startsAt: '2027-03-28T00:30:00Z', endsAt: '2027-03-28T01:30:00Z' });
    await plan(client, { title: 'Fold', startsAt: '2027-10-31T00:30:00Z', endsAt: '2027-10-31T01:30:00Z' });
    await plan(client, {
      title: 'New Year',
      startsAt: '2027-12-31T20:00:00Z',
      endsAt: '2028-01-01T04:00:00Z',
    });
    await plan(client, { title: 'Days', startsAt: '2028-02-28', endsAt: '2028-03-01' });
    const text = await fetchFeed(await link());
    expect(khal(text, 'Europe/Madrid')).toEqual([
      'Days 2028-02-28–2028-02-29',
      'Fold 2027-10-31 02:30–2027-10-31 02:30',
      'Gap 2027-03-28 01:30–2027-03-28 03:30',
      'New Year 2027-12-31 21:00–2028-01-01 05:00',
      'Summer 2027-06-12 18:00–2027-06-13 03:00',
    ]);
    expect(khal(text, 'America/New_York')).toEqual(
      expect.arrayContaining(['Days 2028-02-28–2028-02-29', 'Summer 2027-06-12 12:00–2027-06-12 21:00']),
    );
  });

  test('lets no text become anything else', async () => {
    const texts = fc
      .array(
        fc.oneof(
          fc.constantFrom(
            '\r\n',
            '\n',
            '\r',
            'END:VEVENT',
            'BEGIN:VALARM',
            ';',
            ',',
            ':',
            '\\',
            '\\n',
            '"',
            '\t',
            '\x07',
          ),
          fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => !text.includes('\0')),
        ),
        { maxLength: 8 },
      )
      .map((pieces) => `x${pieces.join('')}`);
    await fc.assert(
      fc.asyncProperty(texts, texts, async (title, description) => {
        const own = await gala.createWorkspace();
        const planner = await own.client();
        await plan(planner, { title, description, location: title });
        const token = await feeds().create({ workspaceId: own.id, mode: 'live' }, await ownerOf(gala));
        const [event, ...others] = eventsIn(await fetchFeed(`/v1/calendar.ics?token=${token}`));

        const readable = (text: string) =>
          text.replace(/\r\n?/g, '\n').replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '');
        expect(others).toEqual([]);
        expect([event!.summary, event!.description]).toEqual([readable(title), readable(description)]);
      }),
      { numRuns: 40 },
    );
  });

  test('counts changes, and tells of cancellation, under the same UID', async () => {
    const event = await plan(client);
    const address = await link();
    const only = async () => {
      const [found] = eventsIn(await fetchFeed(address));
      return [found!.uid, found!.sequence, found!.component.getFirstPropertyValue('status')];
    };
    await client.patch(path(event), { title: 'Party' });
    expect(await only()).toEqual([`${event.id}@gala`, 1, 'CONFIRMED']);
    await client.delete(path(event));
    expect(await only()).toEqual([`${event.id}@gala`, 2, 'CANCELLED']);
    await client.patch(path(event), { status: 'confirmed' });
    expect(await only()).toEqual([`${event.id}@gala`, 3, 'CONFIRMED']);
  });

  test('reaches from a year ago to two years ahead, by the clock', async () => {
    for (const day of ['2025-12-31', '2026-02-01', '2028-12-31', '2029-02-01']) {
      await plan(client, { title: day, startsAt: day, endsAt: undefined });
    }
    const titles = eventsIn(await fetchFeed(await link())).map(({ summary }) => summary);
    expect(titles).toEqual(['2026-02-01', '2028-12-31']);
  });

  test('holds its own calendar alone', async () => {
    await plan(client, { title: 'Real' });
    await plan(await workspace.client('test'), { title: 'Tried' });
    const titles = async (mode: Mode) =>
      eventsIn(await fetchFeed(await link(mode))).map(({ summary }) => summary);
    expect(await titles('live')).toEqual(['Real']);
    expect(await titles('test')).toEqual(['Tried']);
  });
});

describe('asking again', () => {
  test('costs 304 until something changes', async () => {
    const event = await plan(client);
    const address = await link();
    const first = await gala.anonymous.get(address);
    expect(first.headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
    });
    const again = () => gala.anonymous.get(address, { headers: { 'If-None-Match': first.headers.etag } });
    clock.advance(3600);
    const unchanged = await again();
    expect(unchanged).toMatchObject({ status: 304, text: '', headers: { etag: first.headers.etag } });
    const head = await gala.anonymous.request('HEAD', address);
    expect(head).toMatchObject({ status: 200, text: '', headers: { etag: first.headers.etag } });
    await client.patch(path(event), { title: 'Party' });
    const changed = await again();
    expect(changed.status).toBe(200);
    expect(changed.headers.etag).not.toBe(first.headers.etag);
  });
});

describe('a link', () => {
  test('is replaced by the next one, and revoked at once', async () => {
    const ref = { workspaceId: workspace.id, mode: 'live' } as const;
    const [first, second] = [await link(), await link()];
    expectRefusal(await gala.anonymous.get(first), 404);
    await fetchFeed(second);
    await feeds().revoke(ref, await ownerOf(gala));
    expectRefusal(await gala.anonymous.get(second), 404);
    expect(await feeds().madeAt(ref, (await ownerOf(gala)).id)).toBeUndefined();
  });

  test('is one’s own: another’s goes on, and ends with their membership', async () => {
    const ref = { workspaceId: workspace.id, mode: 'live' } as const;
    const member = await memberOf(gala, workspace.id, 'member@aurora.test', 'member');
    const theirs = `/v1/calendar.ics?token=${await feeds().create(ref, member)}`;
    await link();
    await feeds().revoke(ref, await ownerOf(gala));
    await fetchFeed(theirs);
    await gala.app.get(RemoveMember, { strict: false }).execute(workspace.id, await ownerOf(gala), member.id);
    expectRefusal(await gala.anonymous.get(theirs), 404);
    await expect(feeds().create(ref, member)).rejects.toThrow('No such workspace.');
  });

  test.each(['?token=', '', '?token=a&token=b'])('written %j is 422', async (query) =>
    expectRefusal(await gala.anonymous.get(`/v1/calendar.ics${query}`), 422),
  );

  test.each(['wrong', '%00', 'A'.repeat(43), '💍'])(
    'with the token %j is answered like any unknown one',
    async (token) =>
      expect([404, 422]).toContain(
        (await gala.anonymous.get(`/v1/calendar.ics?token=${encodeURIComponent(token)}`)).status,
      ),
  );

  test('is no key to anything else, and a key none to the feed', async () => {
    const token = (await link()).split('=')[1]!;
    expectRefusal(
      await gala.anonymous.get('/v1/calendar-events', { headers: { Authorization: `Bearer ${token}` } }),
      401,
    );
    expectRefusal(await gala.anonymous.get(`/v1/calendar.ics?token=${client.key}`), 404);
  });

  test('counts against its address', async () => {
    const strict = await startGala({
      databaseUrl: gala.databaseUrl,
      configuration: { rateLimits: { reads: 1000, writes: 1000, address: 3 } },
    });
    try {
      const address = await link();
      const statuses: number[] = [];
      for (let count = 0; count < 5; count++) statuses.push((await strict.anonymous.get(address)).status);
      expect(statuses).toEqual([200, 200, 200, 429, 429]);
    } finally {
      await strict.stop();
    }
  });

  test('stands neither in the log nor in the database, and the audit log tells of it', async () => {
    const address = await link();
    await fetchFeed(address);
    const token = address.split('=')[1]!;
    expect(gala.logged.join('\n')).not.toContain(token);
    expect(gala.logged.join('\n')).toContain('"/v1/calendar.ics"');
    const rows = await sql(
      gala.databaseUrl,
      `SELECT action, target_name, details::text FROM audit_log ORDER BY id DESC LIMIT 1`,
    );
    expect(rows).toEqual([
      { action: 'calendar_feed.created', target_name: 'owner@example.com', details: '{}' },
    ]);
    const [feed] = await sql(
      gala.databaseUrl,
      `SELECT count(*)::int AS count FROM calendar_feeds f WHERE f::text LIKE '%' || $1 || '%'`,
      [token],
    );
    expect(feed).toEqual({ count: 0 });
  });
});

/** What the program shows of each event to somebody who lives in that zone. */
function khal(feed: string, zone: string): string[] {
  const directory = mkdtempSync(join(tmpdir(), 'khal-'));
  const file = (name: string) => join(directory, name);
  const [date, dateAndTime] = ['%Y-%m-%d', '%Y-%m-%d %H:%M'];
  writeFileSync(file('feed.ics'), feed);
  writeFileSync(
    file('config'),
    `[calendars]
[[feed]]
path = ${directory}
[locale]
local_timezone = ${zone}
default_timezone = ${zone}
timeformat = %H:%M
dateformat = ${date}
longdateformat = ${date}
datetimeformat = ${dateAndTime}
longdatetimeformat = ${dateAndTime}
[sqlite]
path = ${file('khal.db')}
`,
  );
  try {
    const format = '{title} {start}–{end}';
    const shown = execFileSync('khal', ['-c', file('config'), 'printics', '-f', format, file('feed.ics')], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
    return shown.trim().split('\n').slice(1).sort();
  } finally {
    rmSync(directory, { recursive: true });
  }
}
