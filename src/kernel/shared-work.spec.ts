import { setImmediate as settled } from 'node:timers/promises';
import { SharedWork } from './shared-work';

interface Run {
  end(result: string): void;
  fail(error: Error): void;
}

let runs: Run[];
let shared: SharedWork<string>;
beforeEach(() => {
  runs = [];
  shared = new SharedWork();
});

const ask = (key = 'a') => shared.run(key, () => new Promise((end, fail) => runs.push({ end, fail })));

test('runs at once when nothing else does', async () => {
  const answer = ask();
  expect(runs).toHaveLength(1);
  runs[0]!.end('first');
  await expect(answer).resolves.toBe('first');
});

test('those who ask meanwhile share one run, which starts after the running one has ended', async () => {
  const first = ask();
  const others = [ask(), ask(), ask()];
  await settled();
  expect(runs).toHaveLength(1);
  runs[0]!.end('first');
  await first;
  await settled();
  expect(runs).toHaveLength(2);
  const late = ask();
  runs[1]!.end('second');
  await expect(Promise.all(others)).resolves.toEqual(['second', 'second', 'second']);
  await settled();
  runs[2]!.end('third');
  await expect(late).resolves.toBe('third');
  expect(runs).toHaveLength(3);
});

test('keys don’t wait for each other', () => {
  void ask('a');
  void ask('b');
  expect(runs).toHaveLength(2);
});

test('a failure is told to those who share it, and the next run goes ahead', async () => {
  const [first, second] = [ask(), ask()];
  runs[0]!.fail(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await settled();
  runs[1]!.end('back');
  await expect(second).resolves.toBe('back');
});
