import { unguardCell } from '../../src/kernel/csv-cells';
import { toUuid } from '../../src/kernel/ids';
import { LeadReader } from '../../src/modules/leads/application/lead-queries';
import { addEveryType, addField } from '../support/fields';
import type { Client } from '../support/http-client';
import { createLead, list } from '../support/leads';
import { expectInvalid } from '../support/refusals';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { parseCsv, rowsOf, seedLeads } from './support';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});

const exported = async (parameters: string, by = client) =>
  (await by.get(`/v1/exports/leads?${parameters}`)).text;
const header = async (by: Client) => parseCsv(await exported('', by))[0]!;

test('CSV has a column for each field in their order, and cells as the API reads them', async () => {
  await addEveryType(client);
  const custom = {
    text: '=1+1',
    integer: -12,
    decimal: 0.5,
    boolean: false,
    date: '2027-06-12',
    datetime: '2027-06-12T16:00:00.000Z',
    select: 'garden',
    multi_select: ['garden', 'Great hall'],
  };
  const { id } = await createLead(client, { custom });
  const columns = (await list(client)).body.data[0].custom;
  const [names, row] = parseCsv(await exported(''));
  const own = Object.keys(columns).map((key) => `custom.${key}`);
  expect(names!.filter((name) => name.startsWith('custom'))).toEqual(own);
  expect(names!.indexOf(own[0]!)).toBe(names!.indexOf('lostNote') + 1);
  const cells = Object.fromEntries(names!.map((name, index) => [name, row![index]]));
  expect(cells).toMatchObject({
    id,
    'custom.text': "'=1+1",
    'custom.long_text': '',
    'custom.integer': '-12',
    'custom.decimal': '0.5',
    'custom.boolean': 'false',
    'custom.date': custom.date,
    'custom.datetime': custom.datetime,
    'custom.select': 'garden',
    'custom.multi_select': 'garden; Great hall',
    'custom.url': '',
  });
  expect(unguardCell(cells['custom.text']!)).toBe(custom.text);
});

test('columns are chosen by their keys, or all together', async () => {
  await addField(client, 'room');
  await addField(client, 'menu');
  await createLead(client, { custom: { room: 'Hall' } });
  expect(parseCsv(await exported('columns=custom.menu,custom.room'))).toEqual([
    ['custom.menu', 'custom.room'],
    ['', 'Hall'],
  ]);
  expect(parseCsv(await exported('columns=custom,custom.room'))).toEqual([
    ['custom.room', 'custom.menu'],
    ['Hall', ''],
  ]);
  expect(rowsOf(await exported('format=jsonl&columns=custom.menu,custom.room'))).toEqual([
    { 'custom.menu': null, 'custom.room': 'Hall' },
  ]);
  expect(rowsOf(await exported('format=jsonl&columns=custom'))).toEqual([
    { custom: { room: 'Hall', menu: null } },
  ]);
});

test('JSON Lines are the leads that the list holds, and filters are those of the list', async () => {
  await addField(client, 'room');
  for (const room of ['Hall', 'hall', 'Garden']) await createLead(client, { custom: { room } });
  expect(rowsOf(await exported('format=jsonl'))).toEqual((await list(client)).body.data);
  const { data } = (await list(client, { 'custom.room': 'HALL' })).body;
  expect(data).toHaveLength(2);
  expect(rowsOf(await exported('format=jsonl&custom.room=HALL'))).toEqual(data);
});

test('archived fields, other workspaces and the other mode have no columns', async () => {
  const { id } = await addField(client, 'room');
  await addField(client, 'menu');
  await client.delete(`/v1/lead-fields/${id}`);
  const sandbox = await workspace.client('test');
  await addField(sandbox, 'tested');
  const other = await (await gala.createWorkspace()).client();
  const ownOf = async (by: Client) => (await header(by)).filter((name) => name.startsWith('custom'));
  expect([await ownOf(client), await ownOf(sandbox), await ownOf(other)]).toEqual([
    ['custom.menu'],
    ['custom.tested'],
    [],
  ]);
  for (const key of ['room', 'tested', 'nowhere', 'constructor']) {
    expectInvalid(await client.get(`/v1/exports/leads?columns=id,custom.${key}`), 'columns');
    expectInvalid(await client.get(`/v1/exports/leads?custom.${key}=x`), `custom.${key}`);
  }
  expectInvalid(await client.get('/v1/exports/proposals?columns=id,custom.menu'), 'columns');
  expectInvalid(await other.get('/v1/exports/leads?columns=custom'), 'columns');
});

test('a field that is archived meanwhile keeps its values in the whole file', async () => {
  const { id } = await addField(client, 'room');
  await seedLeads(gala.databaseUrl, workspace.id, 1100);
  await sql(gala.databaseUrl, `UPDATE leads SET custom = '{"room": "Hall"}' WHERE workspace_id = $1`, [
    toUuid(workspace.id),
  ]);
  const reader = gala.app.get(LeadReader, { strict: false });
  const read = reader.list.bind(reader);
  let parts = 0;
  const list = jest.spyOn(reader, 'list').mockImplementation(async (...parameters) => {
    const part = await read(...parameters);
    if (++parts === 1) expect((await client.delete(`/v1/lead-fields/${id}`)).status).toBe(200);
    return part;
  });
  const [, ...rows] = parseCsv(await exported('columns=custom.room'));
  list.mockRestore();
  expect(parts).toBeGreaterThan(1);
  expect(rows).toEqual(Array(1100).fill(['Hall']));
  expectInvalid(await client.get('/v1/exports/leads?columns=custom.room'), 'columns');
});
