import fc from 'fast-check';
import { newId } from '../../../kernel/ids';
import { type NewTask, Task, type TaskFields } from './task';

const workspace = { workspaceId: newId('ws'), mode: 'live' } as const;
const NOW = new Date('2027-01-15T09:30:00.000Z');
const context = { timeZone: 'Europe/Madrid', now: NOW };
const eva = { type: 'user', id: newId('user'), name: 'eva@example.com' } as const;
const INSTANT = new Date('2027-02-01T16:00:00.000Z');

const open = (fields: Partial<NewTask> = {}) =>
  Task.open(workspace, { title: 'Send the menu', ...fields }, context);
const types = (events: { type: string }[]) => events.map(({ type }) => type);

test('a new task is open, and has an event', () => {
  const { task, events } = open({ dueOn: '2027-02-01' });
  expect(task.view()).toMatchObject({
    status: 'open',
    overdueAt: new Date('2027-02-01T23:00:00.000Z'),
    revision: 1,
  });
  expect(events).toEqual([
    expect.objectContaining({ type: 'task.created', workspace, timestamp: NOW, data: task.view() }),
  ]);
});

test('a due time of the other form replaces the one before', () => {
  const { task } = open({ dueOn: '2027-02-01' });
  task.change({ dueAt: INSTANT }, context);
  expect(task.view()).toMatchObject({ dueOn: null, dueAt: INSTANT, overdueAt: INSTANT });
  task.change({ dueOn: '2027-02-03' }, context);
  expect(task.view()).toMatchObject({ dueOn: '2027-02-03', dueAt: null });
  task.change({ dueAt: null }, context);
  expect(task.dueOn).toBe('2027-02-03');
  task.change({ dueOn: null }, context);
  expect(task).toMatchObject({ dueOn: null, dueAt: null, overdueAt: null, announcedFrom: null });
});

test('a due time is announced once, and a new one again', () => {
  const { task } = open({ dueOn: '2027-02-01' });
  const event = task.announce(INSTANT);
  expect(event).toMatchObject({ type: 'task.due', timestamp: INSTANT, data: task.view() });
  expect(task).toMatchObject({ isAnnounced: true, revision: 1 });
  task.change({ title: 'Send the wine list', dueOn: '2027-02-01' }, context);
  task.complete(eva, NOW);
  task.reopen(NOW);
  expect(task.isAnnounced).toBe(true);
  task.change({ dueOn: '2027-02-02' }, context);
  expect(task.isAnnounced).toBe(false);
});

test('a due day keeps the time zone of when it was set', () => {
  const { task } = open({ dueOn: '2027-02-01' });
  const { announcedFrom, overdueAt } = task;
  const moved = { timeZone: 'America/Santiago', now: NOW };
  task.change({ title: 'Send the wine list', dueOn: '2027-02-01' }, moved);
  expect(task).toMatchObject({ announcedFrom, overdueAt });
  task.change({ dueOn: '2027-02-02' }, moved);
  expect(task.announcedFrom).toEqual(new Date('2027-02-02T12:00:00.000Z'));
});

test('completing twice and reopening twice tell once, and keep who was first', () => {
  const { task } = open();
  expect(types(task.complete({ ...eva, name: 'Eva' }, NOW))).toEqual(['task.completed']);
  expect(task.complete({ type: 'api_key', id: 'key_1', name: 'Robot' }, NOW)).toEqual([]);
  expect(task).toMatchObject({ completedBy: { name: 'Eva' }, completedAt: task.updatedAt });
  expect(types(task.reopen(NOW))).toEqual(['task.reopened']);
  expect(task.reopen(NOW)).toEqual([]);
  expect(task).toMatchObject({ status: 'open', completedAt: null, completedBy: null });
});

test('an archived task takes no change until it is restored', () => {
  const { task } = open();
  expect(types(task.archive(NOW))).toEqual(['task.updated']);
  expect(task.archive(NOW)).toEqual([]);
  const refused = [
    () => task.change({ title: 'Other' }, context),
    () => task.complete(eva, NOW),
    () => task.reopen(NOW),
  ];
  for (const change of refused) expect(change).toThrow('archivedAt: an archived task');
  expect(types(task.restore(NOW))).toEqual(['task.updated']);
  expect(task.archivedAt).toBeNull();
});

type Step = (task: Task) => { previous: object | null }[];
const fields: fc.Arbitrary<Partial<TaskFields>> = fc.record(
  {
    title: fc.constantFrom('Send the menu', 'Call back'),
    notes: fc.constantFrom(null, 'Soon'),
    dueOn: fc.constantFrom(null, '2027-02-01', '2027-02-02'),
    assigneeId: fc.constantFrom(null, eva.id),
  },
  { requiredKeys: [] },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fields.map(
    (changes): Step =>
      (task) =>
        task.change(changes, context),
  ),
  fc.constantFrom<Step>(
    (task) => task.complete(eva, NOW),
    (task) => task.reopen(NOW),
    (task) => task.change({ dueAt: INSTANT }, context),
  ),
);

test('each change tells what was there before, and counts as one revision', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const { task } = open();
      for (const take of steps) {
        const before = task.view();
        const events = take(task);
        if (events.length === 0) {
          expect(task.view()).toEqual(before);
          continue;
        }
        expect({ ...task.view(), ...events[0]!.previous }).toEqual(before);
        expect(task.revision).toBe(before.revision + 1);
        expect(task.updatedAt.getTime()).toBeGreaterThan(before.updatedAt.getTime());
      }
    }),
  );
});
