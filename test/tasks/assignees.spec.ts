import { newId, toUuid, type UserId } from '../../src/kernel/ids';
import { UnitOfWork } from '../../src/kernel/unit-of-work';
import { HandOverTasks } from '../../src/modules/tasks/application/hand-over-tasks';
import { RemoveMember } from '../../src/modules/workspaces';
import { eventsOf } from '../support/events';
import { expectRefusal } from '../support/expect-refusal';
import type { Client } from '../support/http-client';
import { newEmail } from '../support/people';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { eventually } from '../support/until';
import { memberOf, ownerOf } from '../workspaces/people';
import { createTask, titlesOf } from './support';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let eva: UserId;
beforeAll(async () => {
  gala = await startGala();
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  eva = (await memberOf(gala, workspace.id, newEmail(), 'member')).id;
});
afterAll(() => gala.stop());

const ref = () => ({ workspaceId: workspace.id, mode: 'live' }) as const;
const remove = async (userId: UserId) =>
  gala.app.get(RemoveMember, { strict: false }).execute(workspace.id, await ownerOf(gala), userId);
const handOver = (to: UserId | null, atMost = 100) =>
  gala.app
    .get(UnitOfWork, { strict: false })
    .run(() => gala.app.get(HandOverTasks, { strict: false }).handOver(ref(), eva, to, atMost));

test('an assignee is a member of the workspace', async () => {
  const { id } = await createTask(client, { assigneeId: eva });
  const stranger = (await memberOf(gala, (await gala.createWorkspace()).id, newEmail(), 'admin')).id;
  for (const assigneeId of [newId('user'), stranger]) {
    const body = { title: 'Call back', assigneeId };
    for (const headers of [{}, { 'Idempotency-Key': `call-${assigneeId}` }]) {
      expectRefusal(await client.post('/v1/tasks', body, { headers }), 422, { field: 'assigneeId' });
    }
    expectRefusal(await client.patch(`/v1/tasks/${id}`, { assigneeId }), 422, { field: 'assigneeId' });
  }
  expect((await client.get(`/v1/tasks/${id}`)).body).toMatchObject({ assigneeId: eva, revision: 1 });
});

test('the list narrows by assignee, and to tasks of nobody', async () => {
  await createTask(client, { title: 'Eva’s', assigneeId: eva });
  await createTask(client, { title: 'Nobody’s' });
  expect(await titlesOf(client, { assigneeId: eva })).toEqual(['Eva’s']);
  expect(await titlesOf(client, { assigneeId: 'none' })).toEqual(['Nobody’s']);
  expectRefusal(await client.get('/v1/tasks?assigneeId=nobody'), 422, { field: 'assigneeId' });
});

test('when a member is removed, the tasks stay, of nobody and as another revision', async () => {
  const { id } = await createTask(client, { assigneeId: eva });
  const test = await createTask(await workspace.client('test'), { assigneeId: eva });
  await remove(eva);
  expect((await client.get(`/v1/tasks/${id}`)).body).toMatchObject({ assigneeId: null, revision: 2 });
  expect((await (await workspace.client('test')).get(`/v1/tasks/${test.id}`)).body.assigneeId).toBeNull();
  expectRefusal(await client.patch(`/v1/tasks/${id}`, { assigneeId: eva }), 422, { field: 'assigneeId' });
});

test('a member who is removed while tasks are assigned to them keeps none, and nothing fails', async () => {
  for (let round = 0; round < 10; round++) {
    const { id: leaving } = await memberOf(gala, workspace.id, newEmail(), 'member');
    const tasks = await Promise.all(Array.from({ length: 5 }, () => createTask(client, { assigneeId: eva })));
    const assign = () => tasks.map(({ id }) => client.patch(`/v1/tasks/${id}`, { assigneeId: leaving }));
    const create = () =>
      tasks.map(() => client.post('/v1/tasks', { title: 'Call back', assigneeId: leaving }));
    const [, ...answers] = await Promise.all([remove(leaving), ...assign(), ...create()]);
    for (const answer of answers) {
      if (answer.status >= 300) expectRefusal(answer, 422, { field: 'assigneeId' });
    }
    const left = await sql(gala.databaseUrl, 'SELECT FROM tasks WHERE assignee_id = $1', [toUuid(leaving)]);
    expect(left).toEqual([]);
  }
});

describe('handing over', () => {
  test('moves open tasks in steps, and leaves done and archived ones to nobody, with an event each', async () => {
    const { id: owner } = await ownerOf(gala);
    const open = [];
    for (const title of ['First', 'Second', 'Third']) {
      open.push(await createTask(client, { title, assigneeId: eva, dueOn: '2027-02-01' }));
    }
    const done = await createTask(client, { title: 'Done', assigneeId: eva });
    await client.post(`/v1/tasks/${done.id}/complete`);
    const archived = await createTask(client, { title: 'Archived', assigneeId: eva });
    await client.delete(`/v1/tasks/${archived.id}`);
    const steps = [];
    for (let step = 0; step < 4; step++) steps.push(await handOver(owner, 2));
    expect(steps).toEqual([2, 2, 1, 0]);
    expect(await titlesOf(client, { assigneeId: owner })).toEqual(['First', 'Second', 'Third']);
    expect(await titlesOf(client, { assigneeId: eva, archived: 'all' })).toEqual([]);
    for (const { id } of [done, archived]) {
      expect((await eventsOf(gala, id)).at(-1)).toMatchObject({
        type: 'task.updated',
        data: { assigneeId: null, revision: 3 },
        previous: { assigneeId: eva, revision: 2 },
      });
    }
    for (const { id, overdueAt } of open) {
      expect((await eventsOf(gala, id)).at(-1)).toMatchObject({
        type: 'task.updated',
        data: { assigneeId: owner, overdueAt },
        previous: { assigneeId: eva, revision: 1 },
      });
    }
  });

  test('leaves tasks to nobody, and leaves another mode’s alone', async () => {
    const { id } = await createTask(client, { assigneeId: eva });
    const test = await workspace.client('test');
    await createTask(test, { title: 'Test', assigneeId: eva });
    expect(await handOver(null)).toBe(1);
    expect((await client.get(`/v1/tasks/${id}`)).body.assigneeId).toBeNull();
    expect(await titlesOf(test, { assigneeId: eva })).toEqual(['Test']);
    expect(await handOver(eva)).toBe(0);
  });

  test('to someone who has left as well leaves tasks to nobody', async () => {
    await createTask(client, { title: 'Eva’s', assigneeId: eva });
    expect(await handOver(newId('user'))).toBe(1);
    expect(await titlesOf(client, { assigneeId: 'none' })).toEqual(['Eva’s']);
  });

  test('is part of a removal: the successor gets the open tasks of both modes', async () => {
    const { id: successor } = await memberOf(gala, workspace.id, newEmail(), 'member');
    const test = await workspace.client('test');
    for (const each of [client, test]) await createTask(each, { title: 'Eva’s', assigneeId: eva });
    const owner = await ownerOf(gala);
    await gala.app.get(RemoveMember, { strict: false }).execute(workspace.id, owner, eva, successor);
    for (const each of [client, test]) {
      await eventually(async () =>
        expect(await titlesOf(each, { assigneeId: successor })).toEqual(['Eva’s']),
      );
    }
  });
});
