import { setImmediate as settled } from 'node:timers/promises';
import type { Logger } from '../logging/logger';
import type { Notifications } from '../persistence/notifications';
import { type Leased, LeasedQueue, type QueueWork } from './leased-queue';

/** A queue whose rows are given by `rows`, and whose work ends when the test says so. */
function queue(options: Partial<QueueWork<Leased>> = {}) {
  const rows: (Leased[] | Error)[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const heldAtClaim: string[][] = [];
  let hear: (payload?: string) => void;
  const stopped = jest.fn();
  const notifications = {
    listen(channel: string, heard: typeof hear) {
      expect(channel).toBe('jobs');
      hear = heard;
      return { stop: () => Promise.resolve(stopped()) };
    },
  };
  const warn = jest.fn();
  const made = new LeasedQueue<Leased>(
    {
      name: 'test jobs',
      channel: 'jobs',
      drainMs: 60_000,
      claim(held) {
        heldAtClaim.push(held.map(({ id }) => id));
        const next = rows.shift() ?? [];
        return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
      },
      handle: ({ id }) =>
        new Promise((resolve, reject) =>
          ends.set(id, (error) => {
            ends.delete(id);
            if (error) reject(error);
            else resolve();
          }),
        ),
      ...options,
    },
    notifications as unknown as Notifications,
    { warn } as unknown as Logger,
  );
  return {
    queue: made,
    working: () => [...ends.keys()],
    end: async (id: string, error?: Error) => {
      ends.get(id)!(error);
      await settled();
    },
    /** Makes rows due, and has the queue hear of it. */
    announce: async (...due: typeof rows) => {
      rows.push(...due);
      hear('');
      await settled();
    },
    hear: (payload?: string) => hear(payload),
    ...{ heldAtClaim, stopped, warn },
  };
}
const row = (id: string) => ({ id });

test('claims until nothing is due, then when rows are announced or work has ended', async () => {
  const { queue: made, working, end, announce, heldAtClaim } = queue();
  made.start();
  await announce([row('a')], [row('b'), row('c')]);
  expect(working()).toEqual(['a', 'b', 'c']);
  expect(heldAtClaim.at(-1)).toEqual(['a', 'b', 'c']);
  await end('b');
  expect(heldAtClaim.at(-1)).toEqual(['a', 'c']);
  const stopped = made.stop();
  await settled();
  await end('a');
  await end('c');
  await stopped;
});

test('work that fails is logged, and claimed again only after its lease', async () => {
  const { queue: made, end, announce, heldAtClaim, warn } = queue();
  made.start();
  await announce([row('a')]);
  await end('a', new Error('no'));
  expect(warn.mock.calls).toEqual([
    [expect.objectContaining({ id: 'a', message: 'no' }), 'work on test jobs failed'],
  ]);
  expect(heldAtClaim.at(-1)).toEqual([]);
  await made.stop();
});

test('a claim that fails is logged, and the next one is made', async () => {
  const { queue: made, working, announce, warn } = queue();
  made.start();
  await announce(new Error('away'));
  expect(warn.mock.calls).toEqual([
    [expect.objectContaining({ message: 'away' }), 'test jobs could not be claimed'],
  ]);
  await announce([row('a')]);
  expect(working()).toEqual(['a']);
});

test('recalls the key that a notification names, and all when notifications may have been missed', async () => {
  const recall = jest.fn();
  const { queue: made, hear } = queue({ recall });
  made.start();
  for (const payload of ['', 'key', undefined]) hear(payload);
  expect(recall.mock.calls).toEqual([['key'], [undefined]]);
  await made.stop();
});

test('stops in order: claims no more, recalls, and waits for work in progress', async () => {
  const steps: string[] = [];
  const recall = jest.fn(() => void steps.push('recall'));
  const release = jest.fn();
  const { queue: made, announce, working, end, stopped, heldAtClaim } = queue({ recall, release });
  made.start();
  await announce([row('a')]);
  const stop = made.stop().then(() => steps.push('stopped'));
  await settled();
  expect(steps).toEqual(['recall']);
  expect(stopped).toHaveBeenCalled();
  const claims = heldAtClaim.length;
  expect(working()).toEqual(['a']);
  await end('a');
  await stop;
  expect(steps).toEqual(['recall', 'stopped']);
  expect(release).not.toHaveBeenCalled();
  expect(heldAtClaim).toHaveLength(claims);
});

test('releases the claims that are still worked on when the time to drain is over', async () => {
  const release = jest.fn(() => Promise.resolve());
  const { queue: made, announce, end } = queue({ drainMs: 1, release });
  made.start();
  await announce([row('a'), row('b')]);
  await end('a');
  await made.stop();
  expect(release.mock.calls).toEqual([[[row('b')]]]);
});

test('works at once on a claim that it is given, and waits for it though the queue never started', async () => {
  const { queue: made, working, end } = queue();
  made.take(row('a'));
  expect(working()).toEqual(['a']);
  expect(made.claims).toEqual([row('a')]);
  let hasStopped = false;
  const stopped = made.stop().then(() => (hasStopped = true));
  await settled();
  expect(hasStopped).toBe(false);
  await end('a');
  await stopped;
  expect(made.claims).toEqual([]);
});

test('a queue without a channel claims when it starts, and listens to nothing', async () => {
  const claim = jest.fn(() => Promise.resolve([]));
  const { queue: made, stopped } = queue({ channel: undefined, claim });
  made.start();
  await settled();
  expect(claim).toHaveBeenCalled();
  await made.stop();
  expect(stopped).not.toHaveBeenCalled();
});
