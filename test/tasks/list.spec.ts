import fc from 'fast-check';
import { Clock } from '../../src/kernel/clock';
import { expectRefusal } from '../support/expect-refusal';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { planOf, type PlanNode, statementOf } from '../support/plans';
import { onConnection } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { createTask, listTasks, type TaskBody, titlesOf } from './support';

/** 10:30 in Madrid. */
const START = '2027-01-15T09:30:00.000Z';
const clock = new FakeClock(START);
let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
});
beforeEach(async () => {
  clock.advance((Date.parse(START) - clock.now().getTime()) / 1000);
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});
afterAll(() => gala.stop());

const task = (title: string, fields: Partial<TaskBody> = {}) => createTask(client, { title, ...fields });
const complete = async (title: string, fields: Partial<TaskBody> = {}) =>
  client.post(`/v1/tasks/${(await task(title, fields)).id}/complete`);

test('the earliest due comes first, and tasks without a due time last', async () => {
  await task('Some day');
  await task('Next month', { dueOn: '2027-02-01' });
  await task('Today at ten', { dueAt: '2027-01-15T09:00:00Z' });
  await task('Today', { dueOn: '2027-01-15' });
  const byDue = ['Today', 'Today at ten', 'Next month'];
  expect(await titlesOf(client)).toEqual([...byDue, 'Some day']);
  expect(await titlesOf(client, { sort: '-due' })).toEqual([...byDue.toReversed(), 'Some day']);
  clock.advance(1);
  await task('Newest');
  expect((await titlesOf(client, { sort: '-createdAt' }))[0]).toBe('Newest');
  expectRefusal(await client.get('/v1/tasks?sort=title'), 422, { field: 'sort' });
});

test('a walk by cursor meets each task once, with and without due times', async () => {
  for (const dueOn of ['2027-02-02', null, '2027-02-01', null, '2027-02-01']) await task('Call', { dueOn });
  for (const sort of ['due', '-due', 'createdAt', '-createdAt']) {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await listTasks(client, { sort, limit: 1, ...(cursor && { cursor }) });
      ids.push(...body.data.map(({ id }: TaskBody) => id));
      cursor = body.pagination.nextCursor;
    }
    expect(ids).toEqual((await listTasks(client, { sort })).body.data.map(({ id }: TaskBody) => id));
    expect(new Set(ids).size).toBe(5);
  }
});

test('filters narrow by lead, status and archive, and all together', async () => {
  const { id: leadId } = await createLead(client);
  await task('Of the lead', { leadId });
  await complete('Done', { leadId });
  const { id } = await task('Archived', { leadId });
  await client.delete(`/v1/tasks/${id}`);
  await task('Other');
  expect(await titlesOf(client, { leadId, sort: 'createdAt' })).toEqual(['Of the lead', 'Done']);
  expect(await titlesOf(client, { leadId, status: 'done' })).toEqual(['Done']);
  expect(await titlesOf(client, { archived: 'true' })).toEqual(['Archived']);
  expect(await titlesOf(client, { leadId, status: 'open', archived: 'all' })).toEqual([
    'Of the lead',
    'Archived',
  ]);
  expect((await listTasks(client, { leadId, limit: 1 })).body.pagination.total).toBe(2);
});

test('days are those of the workspace: instants count on the local day', async () => {
  await task('Monday', { dueOn: '2027-02-01' });
  // 00:30 of Tuesday in Madrid.
  await task('Late', { dueAt: '2027-02-01T23:30:00Z' });
  await task('Tuesday', { dueOn: '2027-02-02' });
  await task('Some day');
  expect(await titlesOf(client, { dueFrom: '2027-02-02' })).toEqual(['Late', 'Tuesday']);
  expect(await titlesOf(client, { dueTo: '2027-02-01' })).toEqual(['Monday']);
  expect(await titlesOf(client, { dueFrom: '2027-02-01', dueTo: '2027-02-01' })).toEqual(['Monday']);
  expect(await titlesOf(client, { dueFrom: '2027-02-03', dueTo: '2027-02-01' })).toEqual([]);
  expectRefusal(await client.get('/v1/tasks?dueFrom=2027-02-30'), 422, { field: 'dueFrom' });
});

test('overdue begins with the instant, or with the end of the day', async () => {
  await task('Today', { dueOn: '2027-01-15' });
  await task('Yesterday', { dueOn: '2027-01-14' });
  await task('Now', { dueAt: '2027-01-15T09:30:00.000Z' });
  await task('Soon', { dueAt: '2027-01-15T09:30:00.001Z' });
  await complete('Done', { dueOn: '2027-01-01' });
  await task('Some day');
  expect(await titlesOf(client, { overdue: 'true' })).toEqual(['Yesterday', 'Now']);
  const others = ['Done', 'Today', 'Soon', 'Some day'];
  expect(await titlesOf(client, { overdue: 'false' })).toEqual(others);
  expect(await titlesOf(client, { overdue: 'true', status: 'done' })).toEqual([]);
});

test('each task is either overdue or not, by the moment that it tells itself', async () => {
  const due = fc.record({
    dueOn: fc.option(fc.constantFrom('2027-01-14', '2027-01-15', '2027-01-16')),
    isDone: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(due, fc.constantFrom(0, 3600, 86_400), async ({ dueOn, isDone }, seconds) => {
      const { id, overdueAt } = await task('Call', { dueOn });
      if (isDone) await client.post(`/v1/tasks/${id}/complete`);
      clock.advance(seconds);
      const isOverdue = !isDone && overdueAt !== null && Date.parse(overdueAt) <= clock.now().getTime();
      for (const overdue of ['true', 'false']) {
        const { data } = (await listTasks(client, { overdue, limit: 100 })).body;
        const isListed = data.some((listed: TaskBody) => listed.id === id);
        expect({ overdue, isListed }).toEqual({ overdue, isListed: isOverdue === (overdue === 'true') });
      }
    }),
    { numRuns: 20 },
  );
});

function scansOf(node: PlanNode): string[] {
  const own = node['Index Name'] ?? (node['Node Type'] === 'Seq Scan' ? 'all of tasks' : []);
  return [own, (node.Plans ?? []).flatMap(scansOf)].flat();
}

test('the usual lists read an index of theirs', async () => {
  const { id: leadId } = await createLead(client);
  await onConnection(gala.databaseUrl, async (connection) => {
    await connection.query(`
      INSERT INTO tasks (workspace_id, mode, id, title, announced_from, overdue_at, due_at, is_announced, status, completed_at,
        created_at, updated_at, revision)
      SELECT workspace_id, mode, gen_random_uuid(), 'Call', at, at, at, true, status,
        CASE status WHEN 'done' THEN at END, at, at, 1
      FROM leads, generate_series(1, 20000) n,
        LATERAL (SELECT '2026-01-01'::timestamptz + n * interval '1 minute' AS at,
          CASE WHEN n % 50 = 0 THEN 'open' ELSE 'done' END AS status) made`);
    await connection.query('ANALYZE tasks');
  });
  const lists: [Record<string, string>, string][] = [
    [{}, 'tasks_due'],
    [{ overdue: 'true' }, 'tasks_open'],
    [{ status: 'open' }, 'tasks_open'],
    [{ leadId }, 'tasks_lead'],
    [{ sort: '-createdAt' }, 'tasks_created_at'],
  ];
  for (const [parameters, index] of lists) {
    const sent = await statementOf(gala, () => listTasks(client, parameters), 'tasks');
    const plan = await planOf(gala, sent, { mode: 'force_generic_plan', analyze: false });
    const scans = scansOf(plan);
    expect({ parameters, scans }).toEqual({ parameters, scans: expect.arrayContaining([index]) });
    if (parameters.status || parameters.leadId) expect(scans).not.toContain('all of tasks');
  }
});
