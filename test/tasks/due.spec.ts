import { Clock } from '../../src/kernel/clock';
import { AnnounceDueTasks, BATCH } from '../../src/modules/tasks/application/announce-due-tasks';
import { TaskRepository } from '../../src/modules/tasks/application/task-repository';
import { DueJob } from '../../src/modules/tasks/infrastructure/due-job';
import { ChangeWorkspace } from '../../src/modules/workspaces';
import { allEvents } from '../support/events';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { onConnection, sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { ownerOf } from '../workspaces/people';
import { createTask, type TaskBody } from './support';

const START = Date.parse('2027-01-15T09:30:00.000Z');
let clock: FakeClock;
let gala: TestGala;
let other: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  clock = new FakeClock();
  const overrides = [{ provide: Clock, useValue: clock }];
  gala = await startGala({ overrides });
  other = await startGala({ overrides, databaseUrl: gala.databaseUrl });
});
beforeEach(async () => {
  clock.advance((START - clock.now().getTime()) / 1000);
  await sql(gala.databaseUrl, 'DELETE FROM tasks');
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});
afterAll(async () => {
  await other.stop();
  await gala.stop();
});

const announce = (instance = gala) => instance.app.get(DueJob, { strict: false }).announceAll();
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();
const goTo = (time: string) => clock.advance((Date.parse(time) - clock.now().getTime()) / 1000);
const announced = async () => {
  const events = await allEvents(gala, workspace.id);
  return events.filter(({ type }) => type === 'task.due').map(({ data }) => data.title);
};

test('a task is announced when its time has come, once, as it is', async () => {
  const task = await createTask(client, { dueAt: at(60), notes: 'The vegetarian one.' });
  await announce();
  goTo(at(59.999));
  await announce();
  expect(await announced()).toEqual([]);
  goTo(at(60));
  await announce();
  await announce(other);
  const [event, ...more] = (await allEvents(gala, workspace.id)).filter(({ type }) => type === 'task.due');
  expect(event).toMatchObject({ data: task, previous: null, timestamp: at(60), mode: 'live' });
  expect(more).toEqual([]);
  expect((await client.get(`/v1/tasks/${task.id}`)).body).toEqual(task);
});

test('a day is announced at 09:00 of it in the workspace', async () => {
  await createTask(client, { title: 'Saturday', dueOn: '2027-01-16' });
  await createTask(client, { title: 'Clocks went forward', dueOn: '2027-03-28' });
  const nights: [string, string[]][] = [
    ['2027-01-16T07:59:59.999Z', []],
    ['2027-01-16T08:00:00.000Z', ['Saturday']],
    ['2027-03-28T06:59:59.999Z', ['Saturday']],
    ['2027-03-28T07:00:00.000Z', ['Saturday', 'Clocks went forward']],
  ];
  for (const [time, titles] of nights) {
    goTo(time);
    await announce();
    expect({ time, titles: await announced() }).toEqual({ time, titles });
  }
});

test('what is done or archived isn’t announced, and is when it is open again', async () => {
  const done = await createTask(client, { title: 'Done', dueAt: at(60) });
  await client.post(`/v1/tasks/${done.id}/complete`);
  const archived = await createTask(client, { title: 'Archived', dueAt: at(60) });
  await client.delete(`/v1/tasks/${archived.id}`);
  goTo(at(120));
  await announce();
  expect(await announced()).toEqual([]);
  await client.post(`/v1/tasks/${done.id}/reopen`);
  await announce();
  expect(await announced()).toEqual(['Done']);
  await client.post(`/v1/tasks/${archived.id}/restore`);
  await announce();
  expect(await announced()).toEqual(['Done', 'Archived']);
});

test('a new due time is announced again, any other change isn’t', async () => {
  const { id } = await createTask(client, { dueAt: at(60) });
  goTo(at(60));
  await announce();
  await client.patch(`/v1/tasks/${id}`, { title: 'Call back' });
  await client.post(`/v1/tasks/${id}/complete`);
  await client.post(`/v1/tasks/${id}/reopen`);
  await announce();
  await client.patch(`/v1/tasks/${id}`, { dueAt: at(120) });
  await announce();
  expect(await announced()).toEqual(['Send the menu']);
  goTo(at(120));
  await announce();
  expect(await announced()).toEqual(['Send the menu', 'Call back']);
});

test('a task that was due already is announced as soon as it is there', async () => {
  await createTask(client, { dueAt: '2020-01-01T00:00:00Z' });
  await announce();
  expect(await announced()).toEqual(['Send the menu']);
});

test('another time zone of the workspace neither loses nor repeats an announcement', async () => {
  await createTask(client, { title: 'Set before', dueOn: '2027-01-16' });
  const settings = { name: 'Test', timeZone: 'Pacific/Apia', currency: 'EUR' };
  await gala.app.get(ChangeWorkspace, { strict: false }).execute(workspace.id, await ownerOf(gala), settings);
  await createTask(client, { title: 'Set after', dueOn: '2027-01-16' });
  goTo('2027-01-15T20:00:00.000Z');
  await announce();
  expect(await announced()).toEqual(['Set after']);
  goTo('2027-01-17T00:00:00.000Z');
  await announce();
  expect(await announced()).toEqual(['Set after', 'Set before']);
});

/** Tasks that are due in the same minute. */
async function many(count: number): Promise<void> {
  await createTask(client, { dueAt: at(60) });
  await sql(
    gala.databaseUrl,
    `INSERT INTO tasks (workspace_id, mode, id, title, due_at, announced_from, overdue_at, is_announced, status, created_at,
       updated_at, revision)
     SELECT workspace_id, mode, gen_random_uuid(), 'Task ' || n, due_at, announced_from, overdue_at, false, 'open', created_at,
       updated_at, 1
     FROM tasks, generate_series(2, $1) AS n`,
    [count],
  );
  goTo(at(60));
}

async function expectEachOnce(count: number): Promise<void> {
  const titles = await announced();
  expect(titles).toHaveLength(count);
  expect(new Set(titles).size).toBe(count);
}

test('of several instances at once each task is announced by one', async () => {
  const count = 3 * BATCH + 7;
  await many(count);
  await Promise.all([announce(), announce(other), announce(), announce(other)]);
  await announce();
  await expectEachOnce(count);
});

test('a batch that fails is announced whole by the next one', async () => {
  await many(BATCH);
  const tasks = gala.app.get(TaskRepository, { strict: false });
  const fails = jest.spyOn(tasks, 'saveAnnounced').mockImplementationOnce(async (...given) => {
    await Object.getPrototypeOf(tasks).saveAnnounced.apply(tasks, given);
    throw new Error('The process dies.');
  });
  await expect(announce()).rejects.toThrow('dies');
  fails.mockRestore();
  expect(await announced()).toEqual([]);
  await announce(other);
  await expectEachOnce(BATCH);
});

test('a task that somebody is changing keeps no other from being announced', async () => {
  const { id } = await createTask(client, { title: 'Locked', dueAt: at(60) });
  await createTask(client, { title: 'Free', dueAt: at(61) });
  goTo(at(120));
  await onConnection(gala.databaseUrl, async (connection) => {
    await connection.query('BEGIN');
    await connection.query(`SELECT FROM tasks WHERE title = 'Locked' FOR NO KEY UPDATE`);
    await announce();
    expect(await announced()).toEqual(['Free']);
    await connection.query('ROLLBACK');
  });
  await announce();
  expect(await announced()).toEqual(['Free', 'Locked']);
  expect((await client.get(`/v1/tasks/${id}`)).body.revision).toBe(1);
});

test('of a change of the due time and its announcement, neither is lost', async () => {
  for (let round = 0; round < 20; round++) {
    const now = clock.now().getTime();
    const due = (ms: number) => new Date(now + ms).toISOString();
    const { id } = await createTask(client, { title: `Round ${round}`, dueAt: due(-1000) });
    const change = () => client.patch(`/v1/tasks/${id}`, { dueAt: due(1000) });
    const actions = round % 2 ? [announce(), change()] : [change(), announce()];
    await Promise.all(actions);
    clock.advance(2);
    await announce();
    const told = (await allEvents(gala, workspace.id)).filter(
      ({ type, data }) => type === 'task.due' && data.id === id,
    );
    expect(told.map(({ data }) => (data as TaskBody).dueAt).at(-1)).toBe(due(1000));
    expect(told.length).toBeLessThanOrEqual(2);
  }
});

test('finding nothing due reads one index, whatever number of tasks is there', async () => {
  await many(1000);
  await announce();
  const [row] = await sql<{ 'QUERY PLAN': [{ Plan: unknown }] }>(
    gala.databaseUrl,
    `EXPLAIN (FORMAT JSON) SELECT FROM tasks WHERE status = 'open' AND archived_at IS NULL AND NOT is_announced
       AND announced_from <= '2027-01-15' ORDER BY announced_from LIMIT 200 FOR NO KEY UPDATE SKIP LOCKED`,
  );
  expect(JSON.stringify(row!['QUERY PLAN'])).toContain('tasks_unannounced');
  expect(await gala.app.get(AnnounceDueTasks, { strict: false }).execute()).toBe(0);
});
