import { newId } from '../../src/kernel/ids';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { expectForbidden, expectInvalid, expectNotFound } from '../support/refusals';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});
afterAll(() => gala.stop());

test('a lead is read by its id, by whoever may read leads', async () => {
  const lead = await createLead(client, { name: 'Ana' });
  const reader = await workspace.client('live', ['leads:read']);
  const answer = await reader.get(`/v1/leads/${lead.id}`);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual(lead);
});

test('a key without leads:read is refused, whether the lead is there or not', async () => {
  const writer = await workspace.client('live', ['leads:write']);
  const lead = await createLead(writer);
  expectForbidden(await writer.get(`/v1/leads/${lead.id}`));
  expectForbidden(await writer.get(`/v1/leads/${newId('lead')}`));
  expectForbidden(await writer.get('/v1/leads'));
});

test('an id that was never given is not found', async () => {
  expectNotFound(await client.get(`/v1/leads/${newId('lead')}`));
});

describe('an id of another kind or shape is not found, by any method', () => {
  const suffix = newId('lead').slice('lead_'.length);
  test.each([
    'undefined',
    'null',
    '0',
    '1',
    'lead_',
    suffix,
    `key_${suffix}`,
    `LEAD_${suffix}`,
    `lead-${suffix}`,
    `lead_${suffix.toUpperCase()}`,
    `lead_${suffix}0`,
    `lead_${suffix.slice(1)}`,
    `lead_8${suffix.slice(1)}`,
    `lead_${suffix.slice(0, -1)}u`,
    `lead_${suffix.slice(0, -1)}l`,
    `lead_${suffix.slice(0, -1)}%20`,
    `lead_${suffix.slice(0, -1)}%00`,
    `lead_${suffix}%0A`,
    '018f3f6e-7d2a-7c4e-9b1a-2f4d5e6c7b8a',
    '%FF',
    '%25',
    '%',
    'lead_%E0%A4%A',
    '..%2f..',
    '%2e%2e%2fapi-keys',
    "lead_'%20OR%201=1--",
  ])('%s', async (id) => {
    expectNotFound(await client.get(`/v1/leads/${id}`));
    expectNotFound(await client.patch(`/v1/leads/${id}`, { stage: 'lost' }));
    expectNotFound(await client.delete(`/v1/leads/${id}`));
    expectNotFound(await client.post(`/v1/leads/${id}/restore`));
  });
});

test('an id in upper case is not the same id', async () => {
  const { id } = await createLead(client);
  expectNotFound(await client.get(`/v1/leads/lead_${id.slice(5).toUpperCase()}`));
});

test.each(['get', 'delete'] as const)('%s takes no parameters', async (method) => {
  const { id } = await createLead(client);
  expectInvalid(await client[method](`/v1/leads/${id}?archived=all`), 'archived');
  expect((await client.get(`/v1/leads/${id}`)).body.archivedAt).toBeNull();
});

test('HEAD answers as GET does, without a body', async () => {
  const { id } = await createLead(client);
  const [head, get] = [await client.request('HEAD', `/v1/leads/${id}`), await client.get(`/v1/leads/${id}`)];
  expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' });
  expect(head.headers['content-type']).toBe(get.headers['content-type']);
  expect((await client.request('HEAD', '/v1/leads')).status).toBe(200);
  expect((await client.request('HEAD', `/v1/leads/${newId('lead')}`)).status).toBe(404);
});

test.each([
  ['PUT', '/v1/leads/:id'],
  ['POST', '/v1/leads/:id'],
  ['OPTIONS', '/v1/leads/:id'],
  ['GET', '/v1/leads/:id/restore'],
  ['DELETE', '/v1/leads'],
  ['PATCH', '/v1/leads'],
  ['OPTIONS', '/v1/leads'],
  ['GET', '/v1/leads/:id/unknown'],
])('%s %s is not there', async (method, path) => {
  const { id } = await createLead(client);
  expectNotFound(await client.request(method, path.replace(':id', id), method === 'GET' ? undefined : {}));
});
