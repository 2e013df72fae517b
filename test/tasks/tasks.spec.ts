import { newId } from '../../src/kernel/ids';
import { eventsOf } from '../support/events';
import { expectRefusal } from '../support/expect-refusal';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { ownerOf } from '../workspaces/people';
import { createTask, titlesOf } from './support';

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

const typesOf = async (id: string) => (await eventsOf(gala, id)).map(({ type }) => type);
const action = (id: string, name: string) => client.post(`/v1/tasks/${id}/${name}`);

test('a task is created with every field, and read again', async () => {
  const { id: leadId } = await createLead(client);
  const { id: assigneeId } = await ownerOf(gala);
  const fields = {
    leadId,
    title: 'Send the menu',
    notes: 'The vegetarian one.',
    dueOn: '2027-02-01',
    assigneeId,
  };
  const answer = await client.post('/v1/tasks', fields);
  const { body } = answer;
  expect(answer).toMatchObject({ status: 201, headers: { location: `/v1/tasks/${body.id}` } });
  expect(body).toEqual({
    ...fields,
    id: expect.stringMatching(/^task_[0-9a-z]{26}$/),
    dueAt: null,
    overdueAt: '2027-02-01T23:00:00.000Z',
    status: 'open',
    completedAt: null,
    completedBy: null,
    archivedAt: null,
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: body.createdAt,
    revision: 1,
  });
  expect((await client.get(`/v1/tasks/${body.id}`)).body).toEqual(body);
  expect(await eventsOf(gala, body.id)).toEqual([
    expect.objectContaining({ type: 'task.created', data: body, previous: null }),
  ]);
});

test('a title is enough', async () => {
  const nothing = { leadId: null, notes: null, dueOn: null, dueAt: null, assigneeId: null };
  expect(await createTask(client, nothing)).toMatchObject({ ...nothing, overdueAt: null, status: 'open' });
});

test('a change replaces the given fields, and tells what was there before', async () => {
  const task = await createTask(client, { dueOn: '2027-02-01', notes: 'Soon' });
  const path = `/v1/tasks/${task.id}`;
  expect((await client.patch(path, { dueOn: '2027-02-01', title: 'Send the menu' })).body).toEqual(task);
  const dueAt = '2027-02-03T10:00:00.000Z';
  const { body } = await client.patch(path, { dueAt: '2027-02-03T11:00:00+01:00', notes: null });
  expect(body).toEqual({
    ...task,
    ...{ dueOn: null, dueAt, overdueAt: dueAt, notes: null },
    updatedAt: expect.stringMatching(/Z$/),
    revision: 2,
  });
  const { dueOn, overdueAt, notes, updatedAt } = task;
  expect((await eventsOf(gala, task.id)).at(-1)).toMatchObject({
    type: 'task.updated',
    data: body,
    previous: { dueOn, dueAt: null, overdueAt, notes, updatedAt, revision: 1 },
  });
});

test('it is completed by the key, and reopened', async () => {
  const { id } = await createTask(client);
  const done = await action(id, 'complete');
  expect(done).toMatchObject({
    status: 200,
    body: {
      status: 'done',
      completedAt: done.body.updatedAt,
      completedBy: { type: 'api_key', id: expect.stringMatching(/^key_/), name: 'Test key' },
    },
  });
  expect((await action(id, 'complete')).body).toEqual(done.body);
  const open = await action(id, 'reopen');
  expect(open).toMatchObject({ status: 200, body: { status: 'open', completedAt: null, completedBy: null } });
  expect((await action(id, 'reopen')).body).toEqual(open.body);
  expect(await typesOf(id)).toEqual(['task.created', 'task.completed', 'task.reopened']);
});

test('an archived task is read and restored, and can’t be changed', async () => {
  const { id } = await createTask(client);
  const path = `/v1/tasks/${id}`;
  const archived = await client.delete(path);
  expect(archived).toMatchObject({ status: 200, body: { archivedAt: archived.body.updatedAt, revision: 2 } });
  expect((await client.delete(path)).body).toEqual(archived.body);
  expect((await client.get(path)).body).toEqual(archived.body);
  for (const refused of [
    await client.patch(path, { title: 'Other' }),
    await action(id, 'complete'),
    await action(id, 'reopen'),
  ]) {
    expectRefusal(refused, 422, { field: 'archivedAt' });
  }
  expect(await titlesOf(client)).toEqual([]);
  expect((await action(id, 'restore')).body).toMatchObject({ archivedAt: null, revision: 3 });
  expect((await action(id, 'restore')).body).toMatchObject({ revision: 3 });
  expect(await typesOf(id)).toEqual(['task.created', 'task.updated', 'task.updated']);
});

test('actions go by If-Match and Idempotency-Key', async () => {
  const { id } = await createTask(client);
  const stale = { headers: { 'If-Match': '"9"' } };
  for (const name of ['complete', 'reopen', 'restore']) {
    expectRefusal(await client.post(`/v1/tasks/${id}/${name}`, undefined, stale), 422, { field: 'If-Match' });
  }
  const once = { headers: { 'Idempotency-Key': 'complete-1', 'If-Match': '"1"' } };
  const first = await client.post(`/v1/tasks/${id}/complete`, undefined, once);
  const again = await client.post(`/v1/tasks/${id}/complete`, undefined, once);
  expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([200, 200, 'true']);
  expect(again.body).toEqual(first.body);
});

describe('its lead', () => {
  test('has to exist, and must not be archived', async () => {
    const { id: leadId } = await createLead(client);
    await client.delete(`/v1/leads/${leadId}`);
    const task = await createTask(client);
    for (const wrong of [leadId, newId('lead')]) {
      const refusals = [
        await client.post('/v1/tasks', { title: 'Send the menu', leadId: wrong }),
        await client.patch(`/v1/tasks/${task.id}`, { leadId: wrong }),
      ];
      for (const refused of refusals) expectRefusal(refused, 422, { field: 'leadId' });
    }
  });

  test('may be archived later: the task can still be changed and completed', async () => {
    const { id: leadId } = await createLead(client);
    const { id } = await createTask(client, { leadId });
    await client.delete(`/v1/leads/${leadId}`);
    expect((await client.patch(`/v1/tasks/${id}`, { title: 'Call back', leadId })).status).toBe(200);
    expect((await action(id, 'complete')).status).toBe(200);
    expect((await client.patch(`/v1/tasks/${id}`, { leadId: null })).body.leadId).toBeNull();
  });
});

test('what can’t be right is refused', async () => {
  const refused: [object, string][] = [
    [{}, 'title'],
    [{ title: ' ' }, 'title'],
    [{ title: '😀'.repeat(201) }, 'title'],
    [{ title: 'Call', notes: '😀'.repeat(5001) }, 'notes'],
    [{ title: 'Call', dueOn: '2027-02-30' }, 'dueOn'],
    [{ title: 'Call', dueOn: '2027-02-01T10:00:00Z' }, 'dueOn'],
    [{ title: 'Call', dueOn: '3000-01-01' }, 'dueOn'],
    [{ title: 'Call', dueAt: '2027-02-01' }, 'dueAt'],
    [{ title: 'Call', dueAt: '3000-01-01T00:00:00Z' }, 'dueAt'],
    [{ title: 'Call', dueOn: '2027-02-01', dueAt: '2027-02-01T10:00:00Z' }, 'dueAt'],
    [{ title: 'Call', status: 'done' }, 'status'],
    [{ title: 'Call', assigneeId: 'eva@example.com' }, 'assigneeId'],
  ];
  for (const [body, field] of refused) expectRefusal(await client.post('/v1/tasks', body), 422, { field });
  const largest = { title: '😀'.repeat(200), notes: '😀'.repeat(5000), dueOn: '2999-12-31' };
  const { id } = await createTask(client, largest);
  expect((await client.get(`/v1/tasks/${id}`)).body).toMatchObject(largest);
  const both = { dueOn: '2027-02-01', dueAt: '2027-02-01T10:00:00Z' };
  expectRefusal(await client.patch(`/v1/tasks/${id}`, both), 422, { field: 'dueAt' });
  expectRefusal(await client.patch(`/v1/tasks/${id}`, { title: null }), 422, { field: 'title' });
  const cleared = await client.patch(`/v1/tasks/${id}`, { dueOn: null, dueAt: null });
  expect(cleared.body).toMatchObject({ dueOn: null, dueAt: null });
});

test('is nobody else’s: another workspace or mode doesn’t lead to it', async () => {
  const { id } = await createTask(client);
  for (const stranger of [await (await gala.createWorkspace()).client(), await workspace.client('test')]) {
    expectRefusal(await stranger.get(`/v1/tasks/${id}`), 404);
    expectRefusal(await stranger.patch(`/v1/tasks/${id}`, { title: 'Mine' }), 404);
    expectRefusal(await stranger.delete(`/v1/tasks/${id}`), 404);
    expectRefusal(await stranger.post(`/v1/tasks/${id}/complete`), 404);
    expect(await titlesOf(stranger)).toEqual([]);
  }
});
