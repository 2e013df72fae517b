import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import { expectRefusal } from '../support/expect-refusal';
import { addEveryType, addField } from '../support/fields';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { startGala, type TestGala } from '../support/start-gala';
import { check, createImport, importFile, leadsOf, start } from './support';

let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  gala.app.get(BackgroundJobs).start();
});
beforeEach(async () => {
  client = await (await gala.createWorkspace()).client();
});
afterAll(() => gala.stop());

test('columns are recognised by keys and labels, and cells read by the types of their fields', async () => {
  await addEveryType(client);
  const options = [
    { value: 'hall', label: 'Great hall' },
    { value: 'garden', label: 'Rose garden' },
  ];
  await addField(client, 'room', { label: 'Our room', type: 'select', options });
  await addField(client, 'rooms', { label: 'Räume', type: 'multi_select', options });
  const header = [
    'Email',
    'TEXT',
    'custom.integer',
    'decimal',
    'boolean',
    'date',
    'datetime',
    'url',
    'our room',
    'Raume',
  ];
  const cells = [
    'a@example.com',
    'x',
    '12,0',
    '1,5',
    'ja',
    '24.12.2027',
    '2027-06-12T18:00:00Z',
    'https://example.com/a',
  ];
  const done = await importFile(
    client,
    `${header.join(';')}\n${[...cells, 'GREAT HALL', '"Rose garden, hall"'].join(';')}\n`,
  );
  expect(done).toMatchObject({ created: 1, failed: 0 });
  const [{ custom }] = await leadsOf(client);
  expect(custom).toMatchObject({
    ...{ text: 'x', integer: 12, decimal: 1.5, boolean: true, date: '2027-12-24' },
    ...{
      datetime: '2027-06-12T18:00:00.000Z',
      url: 'https://example.com/a',
      room: 'hall',
      rooms: ['garden', 'hall'],
    },
  });
});

test('what a workspace calls a field goes before what others mean by it, but for the names of fields', async () => {
  await addField(client, 'when', { label: 'Date' });
  await addField(client, 'title', { label: 'Name' });
  const { columns } = await check(client, 'Email,Date,Name,Title\na@example.com,1,2,3\n');
  expect(columns.map(({ field }) => field)).toEqual(['email', 'custom.when', 'name', 'custom.title']);
});

test('values that a field doesn’t take fail their rows alone, in the check already', async () => {
  await addField(client, 'tables', { type: 'integer' });
  await addField(client, 'tasting', { type: 'date' });
  const file =
    'Email,tables,tasting\na@example.com,four,\nb@example.com,4,31.02.2027\nc@example.com,4,2027-06-12\n';
  const checked = await check(client, file);
  expect(checked).toMatchObject({ willCreate: 1, willFail: 2 });
  expect(checked.problems.map(({ field, lines }: any) => [field, lines])).toEqual([
    ['custom.tables', [2]],
    ['custom.tasting', [3]],
  ]);
  expect(await start(client, checked.id)).toMatchObject({ created: 1, failed: 2 });
});

test('dates of custom fields that can be read in two ways are a question too', async () => {
  await addField(client, 'tasting', { type: 'date' });
  const checked = await check(client, 'Email,tasting\na@example.com,05/06/2027\n');
  expect(checked.ambiguous).toMatchObject([{ field: 'dateFormat', column: 'tasting' }]);
});

test('required fields bind new leads alone, and defaults count', async () => {
  await createLead(client, { email: 'a@example.com' });
  await addField(client, 'room', { isRequired: true });
  await addField(client, 'hall');
  const file = 'Email,room,hall\na@example.com,,x\nb@example.com,,\nc@example.com,terrace,\n';
  const checked = await check(client, file, { matchBy: 'email' });
  expect(checked).toMatchObject({ willUpdate: 1, willCreate: 1, willFail: 1 });
  expect(checked.problems).toMatchObject([{ field: 'custom.room', message: 'is required', lines: [3] }]);
  expect(checked.preview[1]).toMatchObject({ willBe: 'failed', problems: [{ field: 'custom.room' }] });
  expect(await start(client, checked.id)).toMatchObject({ updated: 1, created: 1, failed: 1 });

  for (const matchBy of ['email', 'none']) {
    const rest = `Email,room,hall\n${matchBy}@example.com,,big\n`;
    const defaults = { custom: { room: 'garden', hall: 'small' } };
    expect(await importFile(client, rest, { matchBy, defaults })).toMatchObject({ created: 1, failed: 0 });
    expect((await leadsOf(client)).at(-1).custom).toEqual({ room: 'garden', hall: 'big' });
  }
});

test('an empty cell keeps or clears a value as it does a field', async () => {
  await addField(client, 'room');
  await addField(client, 'hall');
  await createLead(client, { email: 'a@example.com', custom: { room: 'garden', hall: 'big' } });
  const file = 'Email,room\na@example.com,\n';
  expect(await importFile(client, file, { matchBy: 'email' })).toMatchObject({ unchanged: 1 });
  await importFile(client, file, { matchBy: 'email', onEmpty: 'clear' });
  expect((await leadsOf(client))[0].custom).toEqual({ room: null, hall: 'big' });
});

test('a mapping names custom fields that there are, and defaults have their rules', async () => {
  await addField(client, 'tables', { type: 'integer' });
  const mapping = [
    { column: 'Mail', field: 'email' },
    { column: 'Anything', field: 'custom.tables' },
  ];
  await importFile(client, 'Mail,Anything\na@example.com,5\n', { mapping });
  expect((await leadsOf(client))[0].custom).toEqual({ tables: 5 });
  const unknown = { mapping: [{ column: 'x', field: 'custom.chairs' }] };
  const refused = await client.post('/v1/imports', unknown);
  expectRefusal(refused, 422, { field: 'mapping[0].field' });
  expect(refused.body.error.message).toContain('custom.tables');
  for (const [custom, field] of [
    [{ tables: 'x' }, 'defaults.custom.tables'],
    [{ chairs: 1 }, 'defaults.custom.chairs'],
  ] as const) {
    expectRefusal(await client.post('/v1/imports', { defaults: { custom } }), 422, { field });
  }
  await createImport(client, { defaults: { custom: { tables: 3 } } });
});
