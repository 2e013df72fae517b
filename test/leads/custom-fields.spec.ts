import { eventsOf } from '../support/events';
import { addField } from '../support/fields';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { expectForbidden, expectInvalid, expectNotFound } from '../support/refusals';
import { sql } from '../support/sql';
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

const ROOM = {
  key: 'room',
  label: 'Room',
  type: 'select',
  options: [
    { value: 'garden', label: 'Garden' },
    { value: 'Great hall', label: 'Great hall' },
  ],
};
const options = (...values: string[]) => values.map((value) => ({ value, label: value }));
const keys = async (query = '') =>
  (await client.get(`/v1/lead-fields?limit=100${query}`)).body.data.map(({ key }: { key: string }) => key);

test('a field is added, changed, archived and restored, each with its event', async () => {
  const answer = await client.post('/v1/lead-fields', ROOM);
  const field = answer.body;
  const path = `/v1/lead-fields/${field.id}`;
  expect(answer).toMatchObject({ status: 201, headers: { location: path, etag: '"1"' } });
  expect(field).toEqual({
    id: expect.stringMatching(/^field_[0-9a-z]{26}$/),
    key: 'room',
    label: 'Room',
    description: null,
    type: 'select',
    options: ROOM.options.map((option) => ({ ...option, archived: false })),
    isRequired: false,
    position: 1,
    archivedAt: null,
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: field.createdAt,
  });
  const given = { label: 'Preferred room', description: 'If free', isRequired: true, position: 7 };
  const changed = (await client.patch(path, given)).body;
  expect(changed).toEqual({ ...field, ...given, updatedAt: expect.any(String) });
  expect((await client.patch(path, given)).body).toEqual(changed);
  const archived = (await client.delete(path)).body;
  expect(archived.archivedAt).toBe(archived.updatedAt);
  expect((await client.delete(path)).body).toEqual(archived);
  expectInvalid(await client.patch(path, { label: 'Other' }), 'archivedAt');
  expect(await keys()).toEqual([]);
  expect(await keys('&archived=true')).toEqual(['room']);
  const restored = (await client.post(`${path}/restore`)).body;
  expect(restored).toEqual({ ...changed, updatedAt: restored.updatedAt });
  expect((await client.post(`${path}/restore`)).body).toEqual(restored);
  expect((await client.get(path)).body).toEqual(restored);
  const former = { label: 'Room', description: null, isRequired: false, position: 1 };
  expect((await eventsOf(gala, field.id)).map(({ type, previous }) => [type, previous])).toEqual([
    ['lead_field.created', null],
    ['lead_field.updated', { ...former, updatedAt: field.updatedAt }],
    ['lead_field.archived', { archivedAt: null, updatedAt: changed.updatedAt }],
    ['lead_field.restored', { archivedAt: archived.archivedAt, updatedAt: archived.updatedAt }],
  ]);
});

test('key, type and the value of an option never change', async () => {
  const { id } = await addField(client, 'room', ROOM);
  const path = `/v1/lead-fields/${id}`;
  expectInvalid(await client.patch(path, { key: 'hall' }), 'key');
  expectInvalid(await client.patch(path, { type: 'text' }), 'type');
  const refused = await client.patch(path, { options: options('terrace') });
  expectInvalid(refused, 'options');
  expect(refused.body.error.message).toContain('garden');
  const kept = [
    { value: 'terrace', label: 'Terrace', archived: false },
    { value: 'Great hall', label: 'Hall', archived: false },
    { value: 'garden', label: 'Garden', archived: true },
  ];
  expect((await client.patch(path, { options: kept })).body.options).toEqual(kept);
});

test('renaming a label loses no value', async () => {
  const { id } = await addField(client, 'room', ROOM);
  const lead = await createLead(client, { custom: { room: 'garden' } });
  await client.patch(`/v1/lead-fields/${id}`, {
    label: 'Hall',
    options: [
      { value: 'garden', label: 'Orchard' },
      { value: 'Great hall', label: 'Ballroom', archived: true },
    ],
  });
  expect((await client.get(`/v1/leads/${lead.id}`)).body).toEqual(lead);
  expect(lead.custom).toEqual({ room: 'garden' });
});

test.each<[string, object, string]>([
  ['a key with a capital', { key: 'Room' }, 'key'],
  ['a key that every object has', { key: 'constructor' }, 'key'],
  ['an unknown type', { type: 'number' }, 'type'],
  ['no type', { type: null }, 'type'],
  ['a blank label', { label: ' ' }, 'label'],
  ['a select without options', { options: [] }, 'options'],
  ['only archived options', { options: [{ ...ROOM.options[0], archived: true }] }, 'options'],
  ['options of a text', { type: 'text' }, 'options'],
  ['an option twice', { options: options('garden', 'GARDEN') }, 'options[1].value'],
  ['an option with a semicolon', { options: options('a;b') }, 'options[0].value'],
  ['an option with two spaces', { options: options('a  b') }, 'options[0].value'],
  [
    'more than 200 options',
    { options: options(...Array.from({ length: 201 }, (_, n) => `o${n}`)) },
    'options',
  ],
  ['a position of 0', { position: 0 }, 'position'],
])('%s is refused', async (_, wrong, field) => {
  expectInvalid(await client.post('/v1/lead-fields', { ...ROOM, ...wrong }), field);
});

test('a field takes 200 options', async () => {
  const all = options(...Array.from({ length: 200 }, (_, n) => `option ${n}`));
  const { id } = await addField(client, 'room', { type: 'multi_select', options: all });
  const lead = await createLead(client, { custom: { room: all.map(({ value }) => value) } });
  expect(lead.custom.room).toHaveLength(200);
  expectInvalid(
    await client.patch(`/v1/lead-fields/${id}`, { options: [...all, ...options('more')] }),
    'options',
  );
});

test('the options of all fields together take at most 2 MiB', async () => {
  const long = (number: number) => '😀'.repeat(57) + String(number).padStart(3, '0');
  const options = Array.from({ length: 200 }, (_, number) => ({ value: long(number), label: long(number) }));
  const bytes = Buffer.byteLength(JSON.stringify(options.map((option) => ({ ...option, archived: false }))));
  const room = Math.floor((2 * 1024 * 1024) / bytes);
  const answers = await Promise.all(
    Array.from({ length: room + 2 }, (_, number) =>
      client.post('/v1/lead-fields', { key: `field_${number}`, label: 'Field', type: 'select', options }),
    ),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(room);
  answers
    .filter(({ status }) => status !== 201)
    .forEach((answer) => {
      expectInvalid(answer, 'options');
      expect(answer.body.error.message).toContain('2097152 bytes');
    });
  const { id } = await addField(client, 'small', {
    type: 'select',
    options: [{ value: 'one', label: 'One' }],
  });
  const more = [{ value: 'one', label: 'One' }, ...options.slice(1)];
  expectInvalid(await client.patch(`/v1/lead-fields/${id}`, { options: more }), 'options');
});

test('keys are unique in a workspace and mode, archived fields included', async () => {
  const { id } = await addField(client, 'room');
  expectInvalid(await client.post('/v1/lead-fields', { ...ROOM, type: 'select' }), 'key');
  await addField(await workspace.client('test'), 'room');
  await addField(await (await gala.createWorkspace()).client(), 'room');
  await client.delete(`/v1/lead-fields/${id}`);
  const refused = await client.post('/v1/lead-fields', ROOM);
  expectInvalid(refused, 'key');
  expect(refused.body.error.message).toContain('archived');
});

test('fields are in the order of their positions, then of their ages, also by cursor', async () => {
  const [first, second, third] = [
    await addField(client, 'first'),
    await addField(client, 'second'),
    await addField(client, 'third'),
  ];
  expect([first.position, second.position, third.position]).toEqual([1, 2, 3]);
  await client.patch(`/v1/lead-fields/${third.id}`, { position: 1 });
  expect(await keys()).toEqual(['first', 'third', 'second']);
  const page = (await client.get('/v1/lead-fields?limit=2')).body;
  const rest = await client.get(`/v1/lead-fields?limit=2&cursor=${page.pagination.nextCursor}`);
  expect(rest.body.data.map(({ key }: { key: string }) => key)).toEqual(['second']);
  const lead = await createLead(client);
  expect(Object.keys(lead.custom)).toEqual(['first', 'third', 'second']);
});

test('of two fields made at once there is room for one: the hundredth', async () => {
  await sql(
    gala.databaseUrl,
    `INSERT INTO lead_fields SELECT workspace_id, mode, gen_random_uuid(), 'field_' || n, 'Field', NULL, 'text', '[]', false, n,
       NULL, now(), now(), 1
     FROM (SELECT workspace_id, mode FROM api_keys ORDER BY created_at DESC, id DESC LIMIT 1) AS newest, generate_series(1, 99) AS n`,
  );
  const answers = await Promise.all(
    ['one', 'other'].map((key) => client.post('/v1/lead-fields', { key, label: key, type: 'text' })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
  expectInvalid(
    answers.find(({ status }) => status === 422)!,
    'key',
  );
  expect(await keys()).toHaveLength(100);
  const [first] = (await client.get('/v1/lead-fields?limit=1')).body.data;
  await client.delete(`/v1/lead-fields/${first.id}`);
  await addField(client, 'more');
  expectInvalid(await client.post(`/v1/lead-fields/${first.id}/restore`), 'key');
});

test('of two fields made at once with the same key one is made', async () => {
  const answers = await Promise.all([1, 2].map(() => client.post('/v1/lead-fields', ROOM)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
});

test('reading needs leads:read, changing needs schema:write', async () => {
  const { id } = await addField(client, 'room');
  const reader = await workspace.client('live', ['leads:read']);
  expect((await reader.get(`/v1/lead-fields/${id}`)).status).toBe(200);
  expectForbidden(await reader.post('/v1/lead-fields', ROOM));
  expectForbidden(await reader.patch(`/v1/lead-fields/${id}`, { label: 'Hall' }));
  expectForbidden(await reader.delete(`/v1/lead-fields/${id}`));
  expectForbidden(await reader.post(`/v1/lead-fields/${id}/restore`));
  const writer = await workspace.client('live', ['schema:write']);
  expectForbidden(await writer.get('/v1/lead-fields'));
  const stranger = await (await gala.createWorkspace()).client();
  for (const other of [stranger, await workspace.client('test')]) {
    expectNotFound(await other.get(`/v1/lead-fields/${id}`));
    expectNotFound(await other.patch(`/v1/lead-fields/${id}`, { label: 'Hall' }));
    expect((await other.get('/v1/lead-fields?archived=all')).body.data).toEqual([]);
  }
});
