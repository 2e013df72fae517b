import { setImmediate as settled } from 'node:timers/promises';
import { RateLimited } from './errors';
import { Turns } from './turns';

let begun: string[];
let ends: Map<string, () => void>;
let turns: Turns;
beforeEach(() => {
  begun = [];
  ends = new Map();
  turns = new Turns({ atOnce: 2, waitingEach: 3, waiting: 4, retryAfterSeconds: 7 });
});

/** Runs work whose key is the first letter of its name. */
const work = (name: string) =>
  turns.run(name[0]!, () => {
    begun.push(name);
    return new Promise<void>((end) => ends.set(name, end));
  });
async function end(name: string): Promise<void> {
  ends.get(name)!();
  await settled();
  await settled();
}

test('work runs up to the limit, and waiting work starts when some of it ends', async () => {
  const all = ['a1', 'a2', 'a3'].map(work);
  expect(begun).toEqual(['a1', 'a2']);
  await end('a2');
  expect(begun).toEqual(['a1', 'a2', 'a3']);
  for (const name of ['a1', 'a3']) await end(name);
  await Promise.all(all);
});

test('keys take turns: a key with much work doesn’t delay one with little', async () => {
  const all = ['a1', 'a2', 'a3', 'a4', 'b1'].map(work);
  for (const name of ['a1', 'a2', 'a3']) await end(name);
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'a4']);
  for (const name of ['b1', 'a4']) await end(name);
  await Promise.all(all);
});

test('work is refused when the queue of its key, or of all keys, is full', async () => {
  const all = ['a1', 'a2', 'a3', 'a4', 'a5'].map(work);
  await expect(work('a6')).rejects.toEqual(new RateLimited(7));
  all.push(work('b1'));
  await expect(work('c1')).rejects.toEqual(new RateLimited(7));
  for (const name of ['a1', 'a2', 'a3', 'b1', 'a4', 'a5']) await end(name);
  await Promise.all(all);
  expect(begun).toHaveLength(6);
});

test('the work of each key is limited, and other keys get the remaining turns', async () => {
  turns = new Turns({ atOnce: 3, atOnceEach: 1, waitingEach: 3, waiting: 4, retryAfterSeconds: 7 });
  const all = ['a1', 'a2', 'b1', 'b2'].map(work);
  expect(begun).toEqual(['a1', 'b1']);
  await end('b1');
  expect(begun).toEqual(['a1', 'b1', 'b2']);
  for (const name of ['a1', 'a2', 'b2']) await end(name);
  await Promise.all(all);
  expect(begun).toHaveLength(4);
});

test('work that has waited for too long is refused, and leaves its place to others', async () => {
  turns = new Turns({ atOnce: 1, waitingEach: 1, waiting: 1, retryAfterSeconds: 7, patienceMs: 10 });
  const all = [work('a1')];
  await expect(work('b1')).rejects.toEqual(new RateLimited(7));
  all.push(work('b2'));
  await end('a1');
  expect(begun).toEqual(['a1', 'b2']);
  await expect(work('a2')).rejects.toEqual(new RateLimited(7));
  await end('b2');
  await Promise.all(all);
  expect(begun).toEqual(['a1', 'b2']);
});

test('failed work frees its turn', async () => {
  const one = new Turns({ atOnce: 1, waitingEach: 1, waiting: 1, retryAfterSeconds: 1 });
  const failing = one.run('a', () => Promise.reject(new Error('away')));
  const following = one.run('a', () => Promise.resolve('done'));
  await expect(failing).rejects.toThrow('away');
  await expect(following).resolves.toBe('done');
  await expect(one.run('a', () => Promise.resolve('again'))).resolves.toBe('again');
});
