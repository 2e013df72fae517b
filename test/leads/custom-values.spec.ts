import { eventsOf } from '../support/events';
import { addEveryType, addField } from '../support/fields';
import type { Client } from '../support/http-client';
import { createLead, list } from '../support/leads';
import { expectInvalid } from '../support/refusals';
import { sql } from '../support/sql';
import { addReason } from '../support/stages';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});
afterAll(() => gala.stop());

const patch = (id: string, custom: unknown) => client.patch(`/v1/leads/${id}`, { custom });
const problems = (answer: { body: any }) =>
  answer.body.error.details.map(({ field }: { field: string }) => field);

const VALUES = {
  text: 'Ana’s 40th',
  long_text: 'Line one\nLine two 😀',
  integer: -12,
  decimal: 1234.56,
  boolean: false,
  date: '2027-06-12',
  datetime: '2027-06-12T16:00:00.000Z',
  url: 'https://example.com/Menu?a=1#b',
  select: 'Great hall',
  multi_select: ['terrace', 'garden'],
};

test('a lead has values of every type, which are stored and shown in one form', async () => {
  await addEveryType(client);
  const empty = Object.fromEntries(Object.keys(VALUES).map((key) => [key, null]));
  expect((await createLead(client)).custom).toEqual(empty);
  const given = {
    ...VALUES,
    datetime: '2027-06-12T18:00:00+02:00',
    multi_select: ['terrace', 'garden', 'terrace'],
  };
  const lead = await createLead(client, { custom: given });
  expect(lead.custom).toEqual(VALUES);
  expect((await client.get(`/v1/leads/${lead.id}`)).body).toEqual(lead);
  expect((await list(client)).body.data[0]).toEqual(lead);
  expect((await patch(lead.id, given)).body).toEqual(lead);
  const cleared = await patch(lead.id, { ...empty, multi_select: [] });
  expect(cleared.body.custom).toEqual(empty);
  const [row] = await sql(
    gala.databaseUrl,
    'SELECT custom FROM leads ORDER BY created_at DESC, id DESC LIMIT 1',
  );
  expect(row!.custom).toEqual({});
});

const WRONG: Record<string, unknown[]> = {
  text: ['', ' ', 5, 'x'.repeat(256), ['a'], 'a\u0000'],
  long_text: ['x'.repeat(4001), true],
  integer: [1.5, '12', 2 ** 53, -(2 ** 53), true],
  decimal: ['1.5', 0.1 + 0.2, 1e15, 1e-11, 123456789012345.6],
  boolean: ['true', 0],
  date: ['2027-02-29', '12.06.2027', '2027-06-12T00:00:00Z', 20270612],
  datetime: ['2027-06-12', '2027-06-12T18:00:00', 0],
  url: ['example.com', 'javascript:alert(1)', 'https://', 'http://a b', `https://x.y/${'x'.repeat(2000)}`],
  select: ['great hall', 'cellar', ['garden'], ''],
  multi_select: ['garden', ['cellar'], [1], [null], { garden: true }],
};

test('a value that a field doesn’t take is refused by its key, together with all other problems', async () => {
  await addEveryType(client);
  const lead = await createLead(client, { custom: VALUES });
  for (const [key, values] of Object.entries(WRONG)) {
    for (const value of values) {
      const field = `custom.${key}`;
      expect({ value, problems: problems(await patch(lead.id, { [key]: value })) }).toEqual({
        value,
        problems: [field],
      });
      const created = await client.post('/v1/leads', { email: 'a@b.cz', custom: { [key]: value } });
      expectInvalid(created, field);
    }
  }
  const many = await client.post('/v1/leads', {
    guests: 0,
    stage: 'nowhere',
    custom: { nonsense: 1, integer: '5' },
  });
  expect(problems(many).sort()).toEqual(['custom.integer', 'custom.nonsense', 'email', 'guests', 'stage']);
  expect(many.body.error.field).toBe('email');
  expect((await client.get(`/v1/leads/${lead.id}`)).body).toEqual(lead);
});

test('an unknown field is refused, whatever it is called', async () => {
  const lead = await createLead(client);
  expect(lead.custom).toEqual({});
  for (const key of ['room', 'Room', 'id', 'to_string', 'x'.repeat(30), '😀']) {
    expectInvalid(await patch(lead.id, { [key]: null }), `custom.${key}`);
  }
  expectInvalid(await patch(lead.id, JSON.parse('{"__proto__": 1}')), 'custom.__proto__');
  expectInvalid(await patch(lead.id, { constructor: 1 }), 'custom.constructor');
  for (const wrong of [null, 'room', 5, []]) expectInvalid(await patch(lead.id, wrong), 'custom');
  const long = await patch(lead.id, { ['k'.repeat(1000)]: 1 });
  expect(long.text.length).toBeLessThan(1000);
  expect((await client.post('/v1/leads', { email: 'a@b.cz', custom: null })).body.custom).toEqual({});
});

test('an update merges by key, and tells what changed', async () => {
  await addField(client, 'room');
  await addField(client, 'budget', { type: 'integer' });
  const lead = await createLead(client, { custom: { room: 'Garden' } });
  const changed = (await patch(lead.id, { budget: 5000 })).body;
  expect(changed).toEqual({
    ...lead,
    custom: { room: 'Garden', budget: 5000 },
    updatedAt: changed.updatedAt,
  });
  expect((await patch(lead.id, { budget: 5000, room: 'Garden' })).body).toEqual(changed);
  expect((await patch(lead.id, {})).body).toEqual(changed);
  const cleared = (await patch(lead.id, { room: null })).body;
  expect(cleared.custom).toEqual({ room: null, budget: 5000 });
  const events = await eventsOf(gala, lead.id);
  expect(events.map(({ type, previous }) => [type, previous])).toEqual([
    ['lead.created', null],
    ['lead.updated', { custom: { budget: null }, updatedAt: lead.updatedAt }],
    ['lead.updated', { custom: { room: 'Garden' }, updatedAt: changed.updatedAt }],
  ]);
  expect(events.map(({ data }) => data.custom)).toEqual([
    { room: 'Garden', budget: null },
    { room: 'Garden', budget: 5000 },
    { room: null, budget: 5000 },
  ]);
});

test('changes of different fields at once all survive', async () => {
  const keys = ['a', 'b', 'c', 'd', 'e'];
  await Promise.all(keys.map((key) => addField(client, key, { type: 'integer' })));
  const { id } = await createLead(client);
  await Promise.all(keys.map((key, index) => patch(id, { [key]: index })));
  expect((await client.get(`/v1/leads/${id}`)).body.custom).toEqual({ a: 0, b: 1, c: 2, d: 3, e: 4 });
});

test('an archived field hides its values, which a restored one shows again', async () => {
  const { id: field } = await addField(client, 'room');
  const lead = await createLead(client, { custom: { room: 'Garden' } });
  await client.delete(`/v1/lead-fields/${field}`);
  expect((await client.get(`/v1/leads/${lead.id}`)).body.custom).toEqual({});
  expectInvalid(await patch(lead.id, { room: 'Hall' }), 'custom.room');
  expectInvalid(await list(client, { 'custom.room': 'Garden' }), 'custom.room');
  await client.patch(`/v1/leads/${lead.id}`, { guests: 20 });
  await client.post(`/v1/lead-fields/${field}/restore`);
  expect((await client.get(`/v1/leads/${lead.id}`)).body.custom).toEqual({ room: 'Garden' });
});

test('a lead keeps an archived option, and no other gets it', async () => {
  const options = [
    { value: 'garden', label: 'Garden' },
    { value: 'hall', label: 'Hall' },
  ];
  const room = await addField(client, 'room', { type: 'select', options });
  const rooms = await addField(client, 'rooms', { type: 'multi_select', options });
  const lead = await createLead(client, { custom: { room: 'garden', rooms: ['garden'] } });
  const archived = [{ ...options[0]!, archived: true }, options[1]];
  for (const { id } of [room, rooms]) await client.patch(`/v1/lead-fields/${id}`, { options: archived });
  const kept = await patch(lead.id, { room: 'garden', rooms: ['hall', 'garden'] });
  expect(kept.body.custom).toEqual({ room: 'garden', rooms: ['hall', 'garden'] });
  const other = await createLead(client);
  expectInvalid(await patch(other.id, { room: 'garden' }), 'custom.room');
  expectInvalid(await patch(other.id, { rooms: ['garden'] }), 'custom.rooms');
  await patch(lead.id, { room: 'hall' });
  expectInvalid(await patch(lead.id, { room: 'garden' }), 'custom.room');
});

test('a required field binds new leads, and not existing ones', async () => {
  const before = await createLead(client);
  await addField(client, 'budget', { type: 'integer', isRequired: true });
  await addField(client, 'rooms', {
    type: 'multi_select',
    isRequired: true,
    options: [{ value: 'hall', label: 'Hall' }],
  });
  const refused = await client.post('/v1/leads', { email: 'ana@example.com', custom: { rooms: [] } });
  expect(problems(refused)).toEqual(['custom.budget', 'custom.rooms']);
  expectInvalid(await client.post('/v1/leads', { email: 'ana@example.com' }), 'custom.budget');
  const lead = await createLead(client, { custom: { budget: 0, rooms: ['hall'] } });
  expect((await patch(lead.id, { budget: null })).body.custom.budget).toBeNull();
  expect((await client.patch(`/v1/leads/${before.id}`, { guests: 5 })).status).toBe(200);
  const reason = await addReason(client, 'Over budget');
  expect(
    (await client.patch(`/v1/leads/${before.id}`, { stage: 'lost', lostReasonId: reason.id })).status,
  ).toBe(200);
});

test('a lead takes 8 KiB of values exactly, those of archived fields included', async () => {
  const fields = await Promise.all(
    ['a', 'b', 'c'].map((key) => addField(client, key, { type: 'long_text' })),
  );
  const values = { a: '😀'.repeat(1000), b: 'x'.repeat(4000), c: 'y' };
  const rest = 8192 - Buffer.byteLength(JSON.stringify(values));
  const exact = { ...values, c: 'y'.repeat(rest + 1) };
  expect(Buffer.byteLength(JSON.stringify(exact))).toBe(8192);
  const lead = await createLead(client, { custom: exact });
  expect(lead.custom).toEqual(exact);
  expect((await client.get(`/v1/leads/${lead.id}`)).body).toEqual(lead);
  const more = { ...exact, c: `${exact.c}y` };
  const refused = await client.post('/v1/leads', { email: 'a@b.cz', custom: more });
  expectInvalid(refused, 'custom');
  expect(refused.body.error.message).toContain('8193');
  await client.delete(`/v1/lead-fields/${fields[0]!.id}`);
  expectInvalid(await patch(lead.id, { c: more.c }), 'custom');
  expect((await patch(lead.id, { b: null })).status).toBe(200);
});

test('modes and workspaces have fields of their own', async () => {
  await addField(client, 'room');
  const stranger = await (await gala.createWorkspace()).client();
  for (const other of [stranger, await workspace.client('test')]) {
    expect((await createLead(other)).custom).toEqual({});
    expectInvalid(
      await other.post('/v1/leads', { email: 'a@b.cz', custom: { room: 'Hall' } }),
      'custom.room',
    );
  }
});
