import { stat } from 'node:fs/promises';
import { settledWithin } from './settled-within';

function keepBusy(milliseconds: number): void {
  for (const end = Date.now() + milliseconds; Date.now() < end;);
}

describe('settledWithin', () => {
  test('settles like the promise', async () => {
    await expect(settledWithin(100, Promise.resolve(1))).resolves.toBe(1);
    await expect(settledWithin(100, Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  test('rejects if the promise isn’t settled in time', async () => {
    await expect(settledWithin(100, new Promise(() => undefined))).rejects.toThrow('within 100 ms');
  });

  test('accepts an answer that arrived while the process was busy', async () => {
    await stat(__filename); // From here to the next await is one callback, after which timers come before answers.
    const settled = settledWithin(100, stat(__filename));
    keepBusy(400);
    expect((await settled).isFile()).toBe(true);
  });
});
