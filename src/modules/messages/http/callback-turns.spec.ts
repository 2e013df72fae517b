import { setImmediate as nextTick } from 'node:timers/promises';
import { newId } from '../../../kernel/ids';
import { CallbackTurns } from './callback-turns';

/** Work that ends when the test wants it to. */
function works() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<void>((resolve) => ends.set(name, resolve));
  };
  return { started, work, end: (name: string) => ends.get(name)!() };
}

test('notifications of one connection are worked on one at a time, those of others beside it', async () => {
  const turns = new CallbackTurns();
  const { started, work, end } = works();
  const [ana, ben] = [newId('chan'), newId('chan')];
  const all = [
    turns.notification(ana, work('ana 1')),
    turns.notification(ana, work('ana 2')),
    turns.notification(ben, work('ben 1')),
  ];
  await nextTick();
  expect(started).toEqual(['ana 1', 'ben 1']);
  end('ana 1');
  await nextTick();
  expect(started).toEqual(['ana 1', 'ben 1', 'ana 2']);
  end('ana 2');
  end('ben 1');
  await Promise.all(all);
});

test('one that fails says so, and lets the next begin', async () => {
  const turns = new CallbackTurns();
  const id = newId('chan');
  const failing = turns.notification(id, () => Promise.reject(new Error('broken')));
  const next = turns.notification(id, () => Promise.resolve('done'));
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
});

test('too many that wait for one connection are told to come back, and those of others are not', async () => {
  const turns = new CallbackTurns();
  const { work, end } = works();
  const [busy, other] = [newId('chan'), newId('chan')];
  const done = () => Promise.resolve();
  const waiting = [turns.notification(busy, work('first'))];
  for (let count = 1; count < 50; count++) waiting.push(turns.notification(busy, done));
  await expect(turns.notification(busy, done)).rejects.toThrow('Too many requests');
  await turns.notification(other, done);
  end('first');
  await Promise.all(waiting);
  await turns.notification(busy, done);
});

test('four updates are worked on at once, and the others in the order in which they came', async () => {
  const turns = new CallbackTurns();
  const { started, work, end } = works();
  const names = ['1', '2', '3', '4', '5', '6'];
  const all = names.map((name) => turns.update(work(name)));
  await nextTick();
  expect(started).toEqual(names.slice(0, 4));
  end('3');
  await nextTick();
  expect(started).toEqual(names.slice(0, 5));
  for (const name of ['1', '2', '4', '5']) end(name);
  await nextTick();
  end('6');
  await Promise.all(all);
  expect(started).toEqual(names);
});
