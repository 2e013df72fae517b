import { Clock } from '../../src/kernel/clock';
import { toUuid } from '../../src/kernel/ids';
import type { Browser } from '../../src/testing/browser';
import { createSpace, plan } from '../support/calendar';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { outcome } from '../support/page-client';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { place } from '../holds/support';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let browser: Browser;
let calendar: string;
let hall: string;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: new FakeClock() }] });
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  hall = (await createSpace(client, { name: 'Hall' })).id;
  browser = await workspace.browser();
  calendar = `/settings/${workspace.id}/live/calendar`;
});
afterAll(() => gala.stop());

const day = (date = '2027-06-12') => `${calendar}/days/${date}`;

/** What the entries of a day say, in order. */
async function entriesOn(path: string): Promise<string[]> {
  const { status, text } = await browser.get(path);
  expect(status).toBe(200);
  return [...text.matchAll(/<li class="chip [^>]*>(.*?)<\/li>/g)].map(([, entry]) =>
    entry!.replace(/<[^>]*>/g, ''),
  );
}

test('shows all of a day by time, whole days first, also what began before or goes on', async () => {
  const spaceId = hall;
  await plan(client, {
    ...{ title: 'Night', spaceId, startsAt: '2027-06-11T18:00:00Z', endsAt: '2027-06-12T00:00:00Z' },
  });
  await plan(client, { title: 'Wedding', spaceId, guests: 120 });
  await plan(client, { type: 'block', title: 'Works', startsAt: '2027-06-10', endsAt: '2027-06-14' });
  await plan(client, {
    type: 'hold',
    title: 'Fair',
    startsAt: '2027-06-12T08:00:00Z',
    endsAt: '2027-06-14T08:00:00Z',
  });
  await plan(client, { title: 'After', startsAt: '2027-06-13T22:00:00Z', endsAt: '2027-06-13T23:00:00Z' });
  expect(await entriesOn(day())).toEqual([
    'Works · Block',
    'until 02:00 Night · Hall',
    'from 10:00 Fair · Hold',
    '18:00–03:00 Wedding · Hall · 120',
  ]);
  expect(await entriesOn(day('2027-06-13'))).toEqual([
    'Works · Block',
    'Fair · Hold',
    'until 03:00 Wedding · Hall · 120',
  ]);
  expect(await entriesOn(`${day()}?space=${hall}`)).toHaveLength(2);
  expect(await entriesOn(`${day()}?type=block`)).toEqual(['Works · Block']);
});

test('leads to the days beside it, the month and what can be added', async () => {
  const { text } = await browser.get(day('2027-06-30'));
  expect(text).toContain('<h1>Wednesday, 30 June 2027</h1>');
  expect(text).toContain('Nothing planned');
  for (const address of [
    ...[day('2027-06-29'), day('2027-07-01'), `${calendar}?month=2027-06`],
    ...[`${day('2027-06-30')}/hold`, `${calendar}/events/new?type=visit&amp;day=2027-06-30`],
    `${calendar}/events/new?type=event&amp;day=2027-06-30`,
  ]) {
    expect(text).toContain(`href="${address}"`);
  }
});

test('keeps its filters in the links to other days, and shows all without them', async () => {
  await plan(client, { type: 'visit' });
  const { text } = await browser.get(`${day()}?type=event`);
  expect(text).toContain(`href="${day('2027-06-13')}?type=event"`);
  expect(text).toContain('Only some of the entries are shown.');
  expect(text).toContain(`href="${day()}">Show all`);
});

test('a crowded day stays small, and says how many entries and holds it doesn’t show', async () => {
  for (let index = 0; index < 6; index++) {
    const spaceId = (await createSpace(client, { name: `Space ${index}` })).id;
    for (let rank = 1; rank <= 4; rank++) await place(client, { spaceId, title: `Client ${index}.${rank}` });
  }
  await sql(
    gala.databaseUrl,
    `INSERT INTO calendar_events (workspace_id, mode, id, type, title, description, starts_at, ends_at, time_zone, space_ids,
       status, sequence, created_at, updated_at)
     SELECT $1, 'live', gen_random_uuid(), 'visit', repeat('😀', 190), repeat('<', 5000), '2027-06-12T08:00:00Z',
       '2027-06-12T09:00:00Z', 'UTC', '{}', 'confirmed', 1, now(), now() FROM generate_series(1, 5000)`,
    [toUuid(workspace.id)],
  );
  const { text } = await browser.get(day());
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(100 * 1024);
  expect(await entriesOn(day())).toHaveLength(80);
  expect(text).toContain('4944 more are planned on this day.');
  expect(text).toContain('4 more holds of this day are not shown.');
});

describe('holding a date', () => {
  const form = () => `${day()}/hold`;
  const submit = (fields: Record<string, string | string[]>) =>
    browser.submit(form(), { startDay: '2027-06-12', title: 'Pérez', ...fields }, { on: form() });

  test('places a hold at the end of the queue', async () => {
    await place(client, { spaceId: hall, title: 'First' });
    const lead = await createLead(client, { email: 'perez@example.com' });
    const done = await submit({
      ...{ startTime: '18:00', endTime: '03:00', spaceIds: hall, guests: '90', lead: 'perez@example.com' },
      ...{ expiresAt: '2027-02-12', notes: 'Calls back.' },
    });
    expect(outcome(done)).toBe(`303 ${day()}?notice=held`);
    const { text } = await browser.get(`${day()}?notice=held`);
    expect(text).toContain('The date is held.');
    expect(text).toContain('2 · Pérez');
    const { data } = (await client.get('/v1/holds')).body;
    expect(data.find(({ title }: { title: string }) => title === 'Pérez')).toMatchObject({
      ...{ startsAt: '2027-06-12T16:00:00.000Z', endsAt: '2027-06-13T01:00:00.000Z', rank: 2, guests: 90 },
      ...{ leadId: lead.id, expiresAt: '2027-02-12T23:00:00.000Z', notes: 'Calls back.' },
    });
  });

  test.each([
    [{ title: '' }, 'Title is required.'],
    [{ spaceIds: [] }, 'Choose at least one space.'],
    [{ startDay: '2026-06-12' }, 'is in the past: hold a time that is to come.'],
    [{ expiresAt: '2028-01-01' }, 'id="field-expiresAt-problem"'],
    [{ lead: 'nobody@example.com' }, 'No lead has this email.'],
  ])('refuses %j', async (fields, message) => {
    const refused = await submit({ spaceIds: hall, notes: 'Calls back.', ...fields });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(message);
    expect(refused.text).toContain('Calls back.');
    expect((await client.get('/v1/holds')).body.data).toEqual([]);
  });

  test('names the event that has the space', async () => {
    await plan(client, { title: 'Wedding of Ana', spaceId: hall });
    const refused = await submit({ spaceIds: hall });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Hall is taken by “Wedding of Ana”');
  });

  test('is not there for a day that doesn’t exist', async () => {
    for (const wrong of ['2027-02-30', 'x', '3000-01-01']) {
      expect((await browser.get(`${day(wrong)}/hold`)).status).toBe(404);
    }
  });
});
