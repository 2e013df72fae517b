import { ShortLivedCache, waitForExpiry } from './short-lived-cache';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Answers with the number of the reading. */
function countedReading() {
  let readings = 0;
  return () => Promise.resolve(++readings);
}

test('those who read at once, and soon after, share one reading', async () => {
  const cache = new ShortLivedCache<number>();
  const read = countedReading();
  const atOnce = await Promise.all([cache.read('a', read), cache.read('a', read)]);
  jest.advanceTimersByTime(499);
  expect([...atOnce, await cache.read('a', read)]).toEqual([1, 1, 1]);
  expect(await cache.read('b', read)).toBe(2);
});

test('after half a second it is read anew, counted from before the reading however long that took', async () => {
  const cache = new ShortLivedCache<number>();
  let finish: (value: number) => void = () => undefined;
  const slow = cache.read('a', () => new Promise((resolve) => (finish = resolve)));
  jest.advanceTimersByTime(500);
  const next = cache.read('a', () => Promise.resolve(2));
  finish(1);
  expect(await Promise.all([slow, next])).toEqual([1, 2]);
});

test('waiting for expiry outlives every earlier reading', async () => {
  const cache = new ShortLivedCache<number>();
  const read = countedReading();
  await cache.read('a', read);
  let waited = false;
  const waiting = waitForExpiry().then(() => (waited = true));
  await jest.advanceTimersByTimeAsync(500);
  expect(waited).toBe(false);
  await jest.advanceTimersByTimeAsync(100);
  await waiting;
  expect(await cache.read('a', read)).toBe(2);
});

test('a machine that slept trusts nothing from before, though its own clock stood still', async () => {
  const cache = new ShortLivedCache<number>();
  const read = countedReading();
  await cache.read('a', read);
  jest.setSystemTime(Date.now() + 60_000);
  expect(await cache.read('a', read)).toBe(2);
});

test('a reading that failed is nobody’s but theirs who asked for it', async () => {
  const cache = new ShortLivedCache<number>();
  await expect(cache.read('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await cache.read('a', () => Promise.resolve(1))).toBe(1);
});
