import { unguardCell } from '../../src/kernel/csv-cells';
import { createSpace, plan } from '../support/calendar';
import { expectRefusal } from '../support/expect-refusal';
import type { Client } from '../support/http-client';
import { createLead, type LeadBody, list } from '../support/leads';
import { expectForbidden, expectInvalid } from '../support/refusals';
import { giveEachTestAWorkspace } from '../support/own-workspaces';
import type { TestGala, TestWorkspace } from '../support/start-gala';
import { draft } from '../proposals/support';
import { parseCsv, rowsOf } from './support';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
giveEachTestAWorkspace((given) => ({ gala, workspace, client } = given));

const exported = async (parameters = '', list = 'leads') => {
  const answer = await client.get(`/v1/exports/${list}?${parameters}`);
  expect({ status: answer.status, text: answer.status === 200 ? '' : answer.text }).toEqual({
    status: 200,
    text: '',
  });
  return answer;
};
const jsonLines = async (parameters = '', list = 'leads') =>
  rowsOf((await exported(`format=jsonl&${parameters}`, list)).text);

describe('leads as CSV', () => {
  test('are a header of all fields and a record for each lead, the newest first', async () => {
    const ana = await createLead(client, {
      name: 'Ana',
      guests: 120,
      eventDate: '2027-06-12',
      tags: ['vip', 'a;b'],
    });
    const zoe = await createLead(client, { name: 'Zoë, "the 2nd"\nof two', phone: '+34 600 123 456' });
    const { text, headers } = await exported();
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(headers['content-disposition']).toBe('attachment; filename="leads.csv"');
    expect(text.startsWith('\ufeffid,name,email,')).toBe(true);
    const cellOf = (value: string | number | string[] | null) => String(value ?? '');
    const [header, ...rows] = parseCsv(text);
    // The custom fields of a workspace have columns of their own, and this one has none.
    const entriesOf = (lead: LeadBody) => Object.entries(lead).filter(([name]) => name !== 'custom');
    expect(header).toEqual(entriesOf(ana).map(([name]) => name));
    expect(rows).toEqual([
      entriesOf(zoe).map(([, value]) => cellOf(value)),
      entriesOf(ana).map(([name, value]) => (name === 'tags' ? 'vip; "a;b"' : cellOf(value))),
    ]);
  });

  test('hold no formula, and every text comes back from its cell', async () => {
    const texts = ['=1+1', '@SUM(A1)', '+1+1', '-1+1', '\t=1', "'=1", "o'brien", '-5', '+34 600', '＝1'];
    for (const name of texts) await createLead(client, { name });
    const [, ...rows] = parseCsv((await exported('columns=name')).text);
    const cells = rows.map(([cell]) => cell!).reverse();
    expect(cells).toEqual([
      "'=1+1",
      "'@SUM(A1)",
      "'+1+1",
      "'-1+1",
      "'\t=1",
      "''=1",
      "o'brien",
      '-5',
      '+34 600',
      "'＝1",
    ]);
    expect(cells.map(unguardCell)).toEqual(texts);
  });

  test('have the requested columns in their order, each once', async () => {
    const { email, stage } = await createLead(client);
    const { text } = await exported('columns=stage,email,stage');
    expect(parseCsv(text)).toEqual([
      ['stage', 'email'],
      [stage, email],
    ]);
  });

  test('of an empty workspace are the header alone', async () => {
    expect(parseCsv((await exported('columns=id,name')).text)).toEqual([['id', 'name']]);
  });

  test('of a single empty column have no empty line', async () => {
    await createLead(client);
    expect((await exported('columns=name')).text).toBe('\ufeffname\r\n""\r\n');
  });
});

describe('leads as JSON Lines', () => {
  test('are the leads that the list holds, and a last line with their number', async () => {
    for (const name of ['Ana', 'Zoë 😀', null]) await createLead(client, { name, tags: ['vip'] });
    const { headers, text } = await exported('format=jsonl');
    expect(headers['content-type']).toMatch(/^application\/x-ndjson/);
    expect(headers['content-disposition']).toBe('attachment; filename="leads.jsonl"');
    expect(rowsOf(text)).toEqual((await list(client)).body.data);
  });

  test('have the requested fields, null ones too', async () => {
    const { id } = await createLead(client);
    expect(await jsonLines('columns=phone,id')).toEqual([{ phone: null, id }]);
  });

  test('of an empty workspace are the last line alone', async () => {
    expect((await exported('format=jsonl')).text).toBe('{"end":true,"rows":0}\n');
  });
});

describe('the filters of the list', () => {
  test.each([
    'stage=lost',
    'outcome=lost',
    'tag=VIP',
    'q=ana%20garden',
    'source=fair',
    'email=ana%40example.com',
    'eventDateFrom=2027-06-12',
    'ownerId=none',
    'archived=true',
    'archived=all',
    'archived=all&stage=lost',
    'createdAfter=2999-01-01T00:00:00Z',
  ])('%s', async (filter) => {
    await createLead(client, { name: 'Ana', stage: 'lost', tags: ['vip', 'garden'], source: 'fair' });
    await createLead(client, { email: 'zoe@example.com', eventDate: '2027-06-12', tags: ['vip'] });
    const { id } = await createLead(client, { stage: 'lost', email: 'old@example.com' });
    await client.delete(`/v1/leads/${id}`);
    const expected = (await client.get(`/v1/leads?${filter}`)).body.data;
    expect(await jsonLines(filter)).toEqual(expected);
  });

  test('the stages that a workspace has added are known, unknown ones are refused', async () => {
    await client.post('/v1/stages', { key: 'tasting', name: 'Tasting' });
    const { id } = await createLead(client, { stage: 'tasting' });
    expect((await jsonLines('stage=tasting')).map((lead: LeadBody) => lead.id)).toEqual([id]);
    expectInvalid(await client.get('/v1/exports/leads?stage=nowhere'), 'stage');
  });
});

describe('an export is refused', () => {
  test.each([
    ['format=xml', 'format'],
    ['columns=id,nonsense', 'columns'],
    ['columns=', 'columns'],
    ['columns=id,', 'columns'],
    ['columns=constructor', 'columns'],
    ['page=1', 'page'],
    ['limit=10', 'limit'],
    ['cursor=x', 'cursor'],
    ['sort=name', 'sort'],
    ['nonsense=1', 'nonsense'],
    ['eventDateFrom=tomorrow', 'eventDateFrom'],
  ])('for %s', async (parameters, field) => {
    expectInvalid(await client.get(`/v1/exports/leads?${parameters}`), field);
  });

  test.each([
    ['leads', 'leads:read'],
    ['proposals', 'proposals:read'],
    ['calendar-events', 'calendar:read'],
    ['messages', 'messages:read'],
  ])('of %s without the scope %s', async (name, scope) => {
    const every = ['leads:read', 'proposals:read', 'calendar:read', 'messages:read'];
    const path = `/v1/exports/${name}?from=2027-01-01&to=2027-12-31`.replace(/\?.*/, (query) =>
      name === 'calendar-events' ? query : '',
    );
    const without = await workspace.client(
      'live',
      every.filter((each) => each !== scope),
    );
    expectForbidden(await without.get(path));
    expect((await (await workspace.client('live', [scope])).get(path)).status).toBe(200);
  });

  test('of a range without its ends, or one that is too long', async () => {
    expectInvalid(await client.get('/v1/exports/calendar-events'), 'from');
    expectInvalid(await client.get('/v1/exports/calendar-events?from=2027-01-01&to=2029-01-01'), 'to');
  });
});

test('holds the data of its own workspace and mode alone', async () => {
  const { id } = await createLead(client);
  await createLead(await workspace.client('test'));
  await createLead(await (await gala.createWorkspace()).client());
  expect((await jsonLines()).map((lead: LeadBody) => lead.id)).toEqual([id]);
});

test('proposals are those of the list, with lines as JSON and the link only for those who may use it', async () => {
  const { id } = await draft(client);
  await client.post(`/v1/proposals/${id}/send`);
  const { data } = (await client.get('/v1/proposals')).body;
  expect(await jsonLines('', 'proposals')).toEqual(data);
  expect(await jsonLines('status=draft', 'proposals')).toEqual([]);
  const [header, row] = parseCsv((await exported('', 'proposals')).text);
  const cells = Object.fromEntries(header!.map((name, index) => [name, row![index]]));
  expect(cells).toMatchObject({
    id,
    publicUrl: data[0].publicUrl,
    total: String(data[0].total),
    archivedAt: '',
  });
  expect(JSON.parse(cells.lineItems!)).toEqual(data[0].lineItems);
  client = await workspace.client('live', ['proposals:read']);
  expect(await jsonLines('columns=id,publicUrl', 'proposals')).toEqual([{ id, publicUrl: null }]);
});

test('calendar events are those of the range, by creation', async () => {
  const space = await createSpace(client);
  const second = await plan(client, {
    type: 'visit',
    startsAt: '2027-06-20T10:00:00Z',
    endsAt: '2027-06-20T11:00:00Z',
  });
  const first = await plan(client, {
    type: 'visit',
    startsAt: '2027-06-10T10:00:00Z',
    endsAt: '2027-06-10T11:00:00Z',
  });
  const cancelled = await plan(client, { spaceId: space.id });
  await client.delete(`/v1/calendar-events/${cancelled.id}`);
  const range = 'from=2027-06-01&to=2027-06-30';
  expect(await jsonLines(range, 'calendar-events')).toEqual([second, first]);
  const all = await jsonLines(`${range}&status=all&columns=id`, 'calendar-events');
  expect(all).toEqual([second, first, cancelled].map(({ id }) => ({ id })));
  expect(await jsonLines('from=2027-06-15&to=2027-06-30', 'calendar-events')).toEqual([second]);
});

test('messages are those of the list', async () => {
  client = await workspace.client('test');
  const { id: leadId } = await createLead(client, { phone: '+15005550001' });
  await createLead(client);
  const template = { name: 'visit_reminder', language: 'es', variables: ['Ana', 'viernes'] };
  for (const _ of [1, 2]) expect((await client.post('/v1/messages', { leadId, template })).status).toBe(201);
  const { data } = (await client.get('/v1/messages')).body;
  expect(data).toHaveLength(2);
  expect(await jsonLines(`leadId=${leadId}`, 'messages')).toEqual(data);
  expect(await jsonLines('direction=inbound', 'messages')).toEqual([]);
});

test('HEAD is GET without a body', async () => {
  await createLead(client);
  const head = await client.request('HEAD', '/v1/exports/leads');
  expect(head).toMatchObject({ status: 200, text: '' });
  expect(head.headers['content-type']).toContain('text/csv');
  expectRefusal(await client.post('/v1/exports/leads', {}), 404);
});
