import { eventsOf } from '../support/events';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { expectForbidden, expectInvalid } from '../support/refusals';
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

const names = async (query = '') =>
  (await client.get(`/v1/lost-reasons?limit=100${query}`)).body.data.map(
    ({ name }: { name: string }) => name,
  );

test('a reason is added, renamed, archived and restored, each with its event', async () => {
  const answer = await client.post('/v1/lost-reasons', { name: 'Over budget' });
  const reason = answer.body;
  const path = `/v1/lost-reasons/${reason.id}`;
  expect(answer).toMatchObject({ status: 201, headers: { location: path, etag: '"1"' } });
  expect(reason).toEqual({
    id: expect.stringMatching(/^reason_[0-9a-z]{26}$/),
    name: 'Over budget',
    archivedAt: null,
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: reason.createdAt,
  });
  const renamed = (await client.patch(path, { name: 'OVER budget' })).body;
  expect(renamed).toEqual({ ...reason, name: 'OVER budget', updatedAt: expect.any(String) });
  expect((await client.patch(path, {})).body).toEqual(renamed);
  const archived = (await client.delete(path)).body;
  expect(archived.archivedAt).toBe(archived.updatedAt);
  expect((await client.delete(path)).body).toEqual(archived);
  expectInvalid(await client.patch(path, { name: 'Other' }), 'archivedAt');
  expect(await names()).toEqual([]);
  expect(await names('&archived=true')).toEqual(['OVER budget']);
  const restored = (await client.post(`${path}/restore`)).body;
  expect(restored).toEqual({ ...renamed, updatedAt: restored.updatedAt });
  expect((await client.post(`${path}/restore`)).body).toEqual(restored);
  expect((await client.get(path)).body).toEqual(restored);
  expect((await eventsOf(gala, reason.id)).map(({ type, previous }) => [type, previous])).toEqual([
    ['lost_reason.created', null],
    ['lost_reason.updated', { name: 'Over budget', updatedAt: reason.updatedAt }],
    ['lost_reason.archived', { archivedAt: null, updatedAt: renamed.updatedAt }],
    ['lost_reason.updated', { archivedAt: archived.archivedAt, updatedAt: archived.updatedAt }],
  ]);
});

test('names are unique ignoring case, in a workspace and mode', async () => {
  const zoe = await addReason(client, 'Zoë');
  const other = await addReason(client, 'Other');
  expectInvalid(await client.post('/v1/lost-reasons', { name: 'ZOE\u0308' }), 'name');
  expectInvalid(await client.patch(`/v1/lost-reasons/${other.id}`, { name: 'zoë' }), 'name');
  await addReason(await workspace.client('test'), 'Zoë');
  await client.delete(`/v1/lost-reasons/${zoe.id}`);
  const refused = await client.post('/v1/lost-reasons', { name: 'zoë' });
  expectInvalid(refused, 'name');
  expect(refused.body.error.message).toContain('archived');
  const answers = await Promise.all(
    ['Late', 'LATE', 'late'].map((name) => client.post('/v1/lost-reasons', { name })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
});

test('there are at most fifty that aren’t archived', async () => {
  const first = await addReason(client, 'Reason 1');
  for (let count = 2; count <= 50; count++) await addReason(client, `Reason ${count}`);
  expectInvalid(await client.post('/v1/lost-reasons', { name: 'More' }), 'name');
  await client.delete(`/v1/lost-reasons/${first.id}`);
  await addReason(client, 'More');
  expectInvalid(await client.post(`/v1/lost-reasons/${first.id}/restore`), 'name');
  expect(await names()).toHaveLength(50);
});

test.each([[' '], ['a'.repeat(61)], [null], [5]])('refuses the name %j', async (name) => {
  expectInvalid(await client.post('/v1/lost-reasons', { name }), 'name');
});

test('a change goes by If-Match', async () => {
  const { id } = await addReason(client, 'Over budget');
  const patch = (etag: string) =>
    client.patch(
      `/v1/lost-reasons/${id}`,
      { name: `After ${etag.replaceAll('"', '')}` },
      { headers: { 'If-Match': etag } },
    );
  expect((await patch('"1"')).headers.etag).toBe('"2"');
  expectInvalid(await patch('"1"'), 'If-Match');
});

test('leads keep an archived reason', async () => {
  const { id } = await addReason(client, 'Over budget');
  const lead = await createLead(client, { stage: 'lost', lostReasonId: id });
  await client.delete(`/v1/lost-reasons/${id}`);
  expect((await client.get(`/v1/leads/${lead.id}`)).body.lostReasonId).toBe(id);
});

test('a lead that an instance of an earlier version has moved on isn’t lost any more', async () => {
  const { id } = await addReason(client, 'Over budget');
  const { id: lead } = await createLead(client, { stage: 'lost', lostReasonId: id, lostNote: 'By far' });
  await sql(gala.databaseUrl, `UPDATE leads SET stage = 'contacted' WHERE lost_note = 'By far'`);
  const open = { stage: 'contacted', outcome: 'open', lostReasonId: null, lostNote: null };
  expect((await client.get(`/v1/leads/${lead}`)).body).toMatchObject(open);
  expect((await client.get('/v1/leads')).body.data).toMatchObject([open]);
  expect((await client.patch(`/v1/leads/${lead}`, { guests: 5 })).body).toMatchObject(open);
  const [, updated] = await eventsOf(gala, lead);
  expect(updated).toMatchObject({ data: open, previous: { guests: null } });
  expect((await client.patch(`/v1/leads/${lead}`, { stage: 'lost' })).body).toMatchObject({
    outcome: 'lost',
    lostReasonId: null,
    lostNote: null,
  });
});

test('reading takes leads:read, writing schema:write', async () => {
  const reader = await workspace.client('live', ['leads:read', 'leads:write']);
  expect((await reader.get('/v1/lost-reasons')).status).toBe(200);
  expectForbidden(await reader.post('/v1/lost-reasons', { name: 'Late' }));
});
