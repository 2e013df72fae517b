import { newId } from '../../src/kernel/ids';
import { createSpace, listEvents, plan, titlesIn } from '../support/calendar';
import { expectRefusal } from '../support/expect-refusal';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
});
beforeEach(async () => {
  client = await (await gala.createWorkspace()).client();
});
afterAll(() => gala.stop());

const at = (title: string, startsAt: string, endsAt: string) =>
  plan(client, { type: 'hold', title, startsAt, endsAt });
const refuse = async (parameters: Record<string, string>, field: string) =>
  expectRefusal(await listEvents(client, { from: '2027-06-12', to: '2027-06-12', ...parameters }), 422, {
    field,
  });

test('a day holds all that takes place on it in the workspace’s zone, and nothing else', async () => {
  await at('ended', '2027-06-11T20:00:00Z', '2027-06-11T22:00:00Z');
  await at('from the day before', '2027-06-11T20:00:00Z', '2027-06-11T22:00:00.001Z');
  await at('at midnight', '2027-06-11T22:00:00Z', '2027-06-11T22:30:00Z');
  await plan(client, { title: 'all day', type: 'visit', startsAt: '2027-06-12', endsAt: '2027-06-13' });
  await at('at the last second', '2027-06-12T21:59:59Z', '2027-06-12T23:00:00Z');
  await at('the next day', '2027-06-12T22:00:00Z', '2027-06-12T23:00:00Z');
  await plan(client, { title: 'tomorrow', type: 'visit', startsAt: '2027-06-13', endsAt: '2027-06-14' });
  const held = ['from the day before', 'at midnight', 'all day', 'at the last second'];
  expect(await titlesIn(client, '2027-06-12', '2027-06-12')).toEqual(held);
  expect(await titlesIn(client, '2027-06-12T00:00:00+02:00', '2027-06-13T00:00:00+02:00')).toEqual(held);
  expect(await titlesIn(client, '2027-06-11T22:00:00Z', '2027-06-12')).toEqual(held);
});

test('what lasts over midnight, New Year, a leap day or a whole year is on each day of it', async () => {
  await at('midnight', '2027-06-12T20:00:00Z', '2027-06-13T04:00:00Z');
  await at('new year', '2027-12-31T20:00:00Z', '2028-01-01T05:00:00Z');
  await plan(client, { title: 'leap day', startsAt: '2028-02-29', endsAt: '2028-03-01' });
  await plan(client, { title: 'year', type: 'block', startsAt: '2028-01-01', endsAt: '2029-01-01' });
  const day = (date: string) => titlesIn(client, date, date);
  expect(await day('2027-06-12')).toEqual(['midnight']);
  expect(await day('2027-06-13')).toEqual(['midnight']);
  expect(await day('2027-12-31')).toEqual(['new year']);
  expect(await day('2028-01-01')).toEqual(['new year', 'year']);
  expect(await day('2028-02-28')).toEqual(['year']);
  expect(await day('2028-02-29')).toEqual(['year', 'leap day']);
  expect(await day('2028-03-01')).toEqual(['year']);
  expect(await day('2028-12-31')).toEqual(['year']);
  expect(await day('2029-01-01')).toEqual([]);
  expect(await titlesIn(client, '2028-01-01', '2028-12-31')).toEqual(['new year', 'year', 'leap day']);
});

test('filters narrow it', async () => {
  const [space, other] = [await createSpace(client), await createSpace(client, { name: 'Other' })];
  const lead = await createLead(client);
  await plan(client, { title: 'event', spaceIds: [other.id, space.id] });
  await plan(client, { title: 'visit', type: 'visit', leadId: lead.id });
  const find = (filter: Record<string, string>) => titlesIn(client, '2027-06-12', '2027-06-12', filter);
  expect(await find({ type: 'visit' })).toEqual(['visit']);
  expect(await find({ spaceId: space.id })).toEqual(['event']);
  expect(await find({ leadId: lead.id })).toEqual(['visit']);
  expect(await find({ leadId: newId('lead') })).toEqual([]);
  expect(await find({ type: 'event', leadId: lead.id })).toEqual([]);
});

test('pages and cursors walk through everything in order, all-day events too', async () => {
  const titles: string[] = [];
  for (let count = 0; count < 7; count++) {
    const title = `Hold ${count}`;
    titles.push(title);
    if (count % 2) await plan(client, { type: 'hold', title, startsAt: '2027-06-12', endsAt: '2027-06-13' });
    else await at(title, '2027-06-11T22:00:00Z', '2027-06-12T10:00:00Z');
  }
  const range = { from: '2027-06-12', to: '2027-06-12', limit: 2 };
  const byPage: string[] = [];
  const byCursor: string[] = [];
  for (let page = 1; page <= 4; page++) {
    const { body } = await listEvents(client, { ...range, page });
    expect(body.pagination).toMatchObject({ page, total: 7, pages: 4, hasNext: page < 4, hasPrev: page > 1 });
    byPage.push(...body.data.map(({ title }: { title: string }) => title));
  }
  for (let cursor = ''; ;) {
    const { body } = await listEvents(client, { ...range, ...(cursor && { cursor }) });
    byCursor.push(...body.data.map(({ title }: { title: string }) => title));
    cursor = body.pagination.nextCursor;
    if (!cursor) break;
    if (byCursor.length === 2) await refuse({ cursor, to: '2027-06-13' }, 'cursor');
  }
  expect(byPage).toEqual(titles);
  expect(byCursor).toEqual(titles);
});

test.each([
  ['from', { from: '' }],
  ['to', { to: '' }],
  ['to', { to: '2027-06-11' }],
  ['to', { from: '2027-06-12T10:00:00Z', to: '2027-06-12T10:00:00Z' }],
  ['to', { from: '2027-06-12T10:00:00Z', to: '2027-06-12T09:00:00Z' }],
  ['to', { from: '2027-01-01', to: '2028-01-02' }],
  ['to', { from: '2027-01-01T00:00:00Z', to: '2028-01-02T00:00:00.001Z' }],
  ['from', { from: '2027-02-29' }],
  ['from', { from: '2027-06-12T10:00:00' }],
  ['from', { from: 'yesterday' }],
  ['to', { to: '9999-12-31' }],
  ['from', { from: '0001-01-01T00:00:00Z' }],
  ['type', { type: 'party' }],
  ['status', { status: 'maybe' }],
  ['spaceId', { spaceId: 'hall' }],
  ['leadId', { leadId: newId('space') }],
  ['limit', { limit: '0' }],
  ['sort', { sort: 'title' }],
])('is refused with 422 %s for %j', (field, parameters) => refuse(parameters, field));

test('needs both from and to, once', async () => {
  expectRefusal(await client.get('/v1/calendar-events'), 422, { field: 'from' });
  expectRefusal(await client.get('/v1/calendar-events?from=2027-06-12'), 422, { field: 'to' });
  const twice = '/v1/calendar-events?from=2027-06-12&from=2027-06-13&to=2027-06-14';
  expectRefusal(await client.get(twice), 422, { field: 'from' });
});

test.each([
  ['2027-01-01', '2028-01-01'],
  ['2027-01-01T00:00:00Z', '2028-01-02T00:00:00Z'],
  ['1900-01-01', '1900-12-31'],
  ['2999-12-31', '2999-12-31'],
])('may reach over 366 days of any year: %s to %s', async (from, to) => {
  expect((await listEvents(client, { from, to })).status).toBe(200);
});
