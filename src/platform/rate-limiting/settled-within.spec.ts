import { stat } from 'node:fs/promises';
import { settledWithin } from './settled-within';

function keepBusy(milliseconds: number): void {
  for (const end = Date.now() + milliseconds; Date.now() < end;);
}

describe('settledWithin', () => {
  test('passes on what the promise becomes', async () => {
    await expect(settledWithin(100, Promise.resolve(1))).resolves.toBe(1);
    await expect(settledWithin(100, Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  test('rejects what stays away for so long', async () => {
    await expect(settledWithin(100, new Promise(() => undefined))).rejects.toThrow('within 100 ms');
  });

  test('takes an answer that came while the process was busy, however long', async () => {
    await stat(__filename); // From here to the next await is one callback, after which timers come before answers.
    const settled = settledWithin(100, stat(__filename));
    keepBusy(400);
    expect((await settled).isFile()).toBe(true);
  });
});
