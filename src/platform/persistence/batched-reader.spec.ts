import fc from 'fast-check';
import type { Database } from './database';
import { BatchedReader } from './batched-reader';
import type { Statement } from './statement';

interface Answer {
  values: unknown[];
  resolve: (rows: { id: string; of: string }[]) => void;
  reject: (error: Error) => void;
}

/** Reads whose statements wait until the test answers them. */
function reading() {
  const asked: Answer[] = [];
  const database = {
    isInUnitOfWork: false,
    query: ({ values }: Statement) =>
      new Promise((resolve, reject) => asked.push({ values: values as unknown[], resolve, reject })),
  };
  const reads = new BatchedReader<{ id: string; of: string }>(database as unknown as Database, 'SELECT');
  return { asked, database, reads };
}

const rowsOf = ([workspace, mode, ids]: unknown[]) =>
  (ids as string[])
    .filter((id) => !id.startsWith('no'))
    .map((id) => ({ id, of: `${workspace as string} ${mode as string}` }));
const settle = () => new Promise(setImmediate);

test('a lone read goes out at once; those that come while two are under way share the next', async () => {
  const { asked, reads } = reading();
  const found = ['1', '2', '3', '4', 'no'].map((id) => reads.find('ws', 'live', id));
  expect(asked.map(({ values }) => values)).toEqual([
    ['ws', 'live', ['1']],
    ['ws', 'live', ['2']],
  ]);
  asked[1]!.resolve(rowsOf(asked[1]!.values));
  await settle();
  expect(asked[2]!.values).toEqual(['ws', 'live', ['3', '4', 'no']]);
  for (const { values, resolve } of asked) resolve(rowsOf(values));
  expect((await Promise.all(found)).map((row) => row?.id)).toEqual(['1', '2', '3', '4', undefined]);
});

test('a statement that fails fails those that share it, and no others', async () => {
  const { asked, reads } = reading();
  const found = ['1', '2', '3'].map((id) => reads.find('ws', 'live', id));
  asked[0]!.reject(new Error('gone'));
  await expect(found[0]).rejects.toThrow('gone');
  await settle();
  for (const { values, resolve } of asked.slice(1)) resolve(rowsOf(values));
  expect((await Promise.all(found.slice(1))).map((row) => row!.id)).toEqual(['2', '3']);
});

test('statements that the database takes long over hold up no others', async () => {
  const { asked, reads } = reading();
  const found = ['1', '2', '3'].map((id) => reads.find('ws', 'live', id));
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect(asked[2]!.values).toEqual(['ws', 'live', ['3']]);
  // Their end counts once: it makes no room for a third.
  for (const { values, resolve } of asked.splice(0)) resolve(rowsOf(values));
  await Promise.all(found);
  await settle();
  for (const id of ['4', '5', '6']) void reads.find('ws', 'live', id);
  expect(asked).toHaveLength(2);
});

test('within a unit of work nothing is shared, and nothing waits', () => {
  const { asked, database, reads } = reading();
  for (const id of ['1', '2', '3']) void reads.find('ws', 'live', id);
  database.isInUnitOfWork = true;
  void reads.find('ws', 'live', '4');
  expect(asked.map(({ values }) => values[2])).toEqual([['1'], ['2'], ['4']]);
});

test('whoever asks, and whenever: each gets the row asked for, of the workspace and mode asked for', async () => {
  const read = fc.record({
    workspace: fc.constantFrom('a', 'b', 'c'),
    mode: fc.constantFrom('live' as const, 'test' as const),
    id: fc.constantFrom('1', '2', '3', 'no4'),
    answersBefore: fc.constantFrom(0, 0, 0, 1),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(read, { maxLength: 40 }), async (questions) => {
      const { asked, reads } = reading();
      const answer = async () => {
        const next = asked.shift();
        next?.resolve(rowsOf(next.values));
        await settle();
      };
      const found: Promise<{ id: string; of: string } | undefined>[] = [];
      for (const { workspace, mode, id, answersBefore } of questions) {
        for (let count = 0; count < answersBefore; count++) await answer();
        found.push(reads.find(workspace, mode, id));
        expect(asked.length).toBeLessThanOrEqual(2);
      }
      while (asked.length) await answer();
      expect(await Promise.all(found)).toEqual(
        questions.map(({ workspace, mode, id }) =>
          id === 'no4' ? undefined : { id, of: `${workspace} ${mode}` },
        ),
      );
    }),
  );
});
