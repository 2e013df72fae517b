import { HandOvers } from './hand-overs';
import type { WorkspaceRef } from './principal';

const from = 'user_from';
const to = 'user_to';

/** A module with that many objects in each mode. */
function part(name: string, left: Record<string, number>) {
  return {
    name,
    left,
    handOver: ({ mode }: WorkspaceRef, ...[, , atMost]: [unknown, unknown, number]) => {
      const moved = Math.min(left[mode]!, atMost);
      left[mode]! -= moved;
      return Promise.resolve(moved);
    },
  };
}

test('moves the objects of all modules and both modes, at once those of one, and never more than allowed', async () => {
  const handOvers = new HandOvers();
  const leads = part('leads', { live: 5, test: 2 });
  const tasks = part('tasks', { live: 1, test: 4 });
  handOvers.add(leads);
  handOvers.add(tasks);
  const steps: number[] = [];
  let moved: number;
  do steps.push((moved = await handOvers.run('ws_1', from, to, 4)));
  while (moved > 0);
  expect(steps).toEqual([4, 1, 2, 1, 4, 0]);
  expect([leads.left, tasks.left]).toEqual([
    { live: 0, test: 0 },
    { live: 0, test: 0 },
  ]);
});

test('two of one name are refused', () => {
  const handOvers = new HandOvers();
  handOvers.add(part('leads', { live: 0, test: 0 }));
  expect(() => handOvers.add(part('leads', { live: 0, test: 0 }))).toThrow(
    'The hand-over of leads is added twice',
  );
});
