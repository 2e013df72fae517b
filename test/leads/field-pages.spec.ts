import type { WorkspaceId } from '../../src/kernel/ids';
import { CreateApiKey } from '../../src/modules/api-keys';
import { auditRecords } from '../audit-log/records';
import { addField, type FieldBody } from '../support/fields';
import { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { outcome, type PageClient } from '../support/page-client';
import { browserOf, newEmail, workspaceOf } from '../support/people';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
let browser: PageClient;
let workspace: WorkspaceId;
beforeAll(async () => {
  gala = await startGala();
});
beforeEach(async () => {
  const email = newEmail();
  workspace = await workspaceOf(gala, email);
  browser = await browserOf(gala, email);
});
afterAll(() => gala.stop());

const path = (mode = 'live') => `/settings/${workspace}/${mode}/fields`;
const submit = (action: string, fields: Record<string, string> = {}, mode = 'live') =>
  browser.submit(`${path(mode)}${action}`, fields, { on: path(mode) });
const clientOf = async (mode: 'live' | 'test' = 'live') => {
  const input = { name: 'Key', scopes: ['leads:read', 'leads:write', 'schema:write'], expiresAt: null };
  const createApiKey = gala.app.get(CreateApiKey, { strict: false });
  return new Client(
    gala.baseUrl,
    (await createApiKey.byOperator({ workspaceId: workspace, mode }, input)).token,
  );
};
const fieldsOf = async (client: Client): Promise<FieldBody[]> =>
  (await client.get('/v1/lead-fields?archived=all&limit=100')).body.data;
const option = (value: string, label = value, archived = false) => ({ value, label, archived });

test('a field is added with a key made of its label, changed, archived and restored', async () => {
  const client = await clientOf();
  const given = {
    label: 'Café & room',
    type: 'select',
    options: 'Garden\r\nhall = Great hall\n\n a;b ',
    isRequired: 'yes',
  };
  expect(outcome(await submit('', given))).toBe(`303 ${path()}?notice=added`);
  const [field] = await fieldsOf(client);
  expect(field).toMatchObject({
    key: 'cafe_room',
    label: 'Café & room',
    isRequired: true,
    options: [option('Garden'), option('hall', 'Great hall'), option('a b', 'a;b')],
  });
  const lead = await createLead(client, { custom: { cafe_room: 'hall' } });
  const form = (await browser.get(`${path()}/${field!.id}/edit`)).text;
  expect(form).toContain('Garden\nhall = Great hall\na b = a;b');
  const changed = { label: 'Room', description: 'If free', options: 'hall = Ballroom\nTerrace\ngarden' };
  expect(outcome(await submit(`/${field!.id}/edit`, changed))).toBe(`303 ${path()}?notice=saved`);
  expect((await fieldsOf(client))[0]).toMatchObject({
    label: 'Room',
    description: 'If free',
    isRequired: false,
    options: [
      option('hall', 'Ballroom'),
      option('Terrace'),
      option('Garden', 'garden'),
      option('a b', 'a;b', true),
    ],
  });
  expect(outcome(await submit(`/${field!.id}/archive`))).toBe(`303 ${path()}?notice=archived`);
  expect((await browser.get(path())).text).toContain('Archived fields');
  expect((await browser.get(`${path()}/${field!.id}/edit`)).status).toBe(404);
  expect(outcome(await submit(`/${field!.id}/restore`))).toBe(`303 ${path()}?notice=restored`);
  expect((await client.get(`/v1/leads/${lead.id}`)).body).toEqual(lead);
  const records = JSON.stringify(await auditRecords(gala, workspace));
  for (const word of ['Created', 'Changed', 'Archived', 'Restored']) {
    expect(records).toContain(`${word} the custom field`);
  }
});

test.each<[string, Record<string, string>, string]>([
  ['no label', { label: '' }, 'Label'],
  ['a key that isn’t one', { key: 'Room 1' }, 'Key'],
  ['no options', { options: ' ' }, 'Options'],
  ['an option twice', { options: 'Hall\nhall = Other' }, 'Options'],
  ['an option that is too long', { options: 'x'.repeat(61) }, 'Options'],
  ['too many options', { options: Array.from({ length: 201 }, (_, n) => `o${n}`).join('\n') }, 'Options'],
])('the form with %s is shown again', async (_, wrong, label) => {
  const answer = await submit('', { label: 'Room', type: 'select', options: 'Hall', ...wrong });
  expect(answer.status).toBe(422);
  expect(answer.text).toContain(label);
  expect(await fieldsOf(await clientOf())).toEqual([]);
});

test('buttons move fields up and down', async () => {
  const client = await clientOf();
  const ids: string[] = [];
  for (const key of ['a', 'b', 'c']) ids.push((await addField(client, key)).id);
  const keys = async () => (await fieldsOf(client)).map(({ key }) => key);
  await submit(`/${ids[2]}/move`, { to: 'up' });
  expect(await keys()).toEqual(['a', 'c', 'b']);
  await submit(`/${ids[0]}/move`, { to: 'down' });
  expect(await keys()).toEqual(['c', 'a', 'b']);
  await submit(`/${ids[1]}/move`, { to: 'down' });
  expect(await keys()).toEqual(['c', 'a', 'b']);
});

test('the fields of the sandbox are copied to live data, twice if need be', async () => {
  const [test, live] = [await clientOf('test'), await clientOf()];
  const options = [option('hall', 'Great hall'), option('garden', 'Garden', true)];
  await addField(test, 'room', { type: 'select', label: 'Room', options, isRequired: true });
  await addField(test, 'budget', { type: 'integer' });
  const gone = await addField(test, 'gone');
  await test.delete(`/v1/lead-fields/${gone.id}`);
  const own = [option('hall', 'Hall'), option('cellar', 'Cellar')];
  const room = await addField(live, 'room', { type: 'select', options: own });
  const lead = await createLead(live, { custom: { room: 'cellar' } });
  await live.delete(`/v1/lead-fields/${room.id}`);
  await addField(live, 'table');
  for (const _ of [1, 2]) {
    expect(outcome(await submit('/copy'))).toBe(`303 ${path()}?notice=copied`);
    const fields = await fieldsOf(live);
    expect(fields.map(({ key }) => key).sort()).toEqual(['budget', 'room', 'table']);
    expect(fields.find(({ key }) => key === 'room')).toMatchObject({
      id: room.id,
      label: 'Room',
      isRequired: true,
      archivedAt: null,
      options: [...options, own[1]],
    });
  }
  expect((await live.get(`/v1/leads/${lead.id}`)).body.custom).toMatchObject({ room: 'cellar' });
  expect((await submit('/copy', {}, 'test')).status).toBe(404);
});

test('a field with another type in live data is not copied', async () => {
  const [test, live] = [await clientOf('test'), await clientOf()];
  await addField(test, 'room');
  await addField(live, 'room', { type: 'integer' });
  const answer = await submit('/copy');
  expect(answer.status).toBe(422);
  expect(answer.text).toContain('integer in live data, not text');
});
