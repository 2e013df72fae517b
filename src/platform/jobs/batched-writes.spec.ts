import { BatchedWrites } from './batched-writes';

test('items that are added during a write share the next one', async () => {
  const ends: ((error?: Error) => void)[] = [];
  const batches: string[][] = [];
  const writes = new BatchedWrites<string>((items) => {
    batches.push([...items]);
    return new Promise((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve())));
  });
  const first = [writes.add('a'), writes.add('b')];
  await Promise.resolve();
  await Promise.resolve();
  const second = [writes.add('c'), writes.add('d')];
  expect(batches).toEqual([['a', 'b']]);
  ends[0]!();
  await Promise.all(first);
  await Promise.resolve();
  await Promise.resolve();
  expect(batches).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  ends[1]!(new Error('away'));
  for (const written of second) await expect(written).rejects.toThrow('away');

  const third = writes.add('e');
  await new Promise(setImmediate);
  ends[2]!();
  await third;
  expect(batches.at(-1)).toEqual(['e']);
});
