import { Leases, leasesHaveRunOut } from './leases';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Answers with the number of the reading. */
function countedReading() {
  let readings = 0;
  return () => Promise.resolve(++readings);
}

test('those who read at once, and soon after, share one reading', async () => {
  const leases = new Leases<number>();
  const read = countedReading();
  const atOnce = await Promise.all([leases.read('a', read), leases.read('a', read)]);
  jest.advanceTimersByTime(499);
  expect([...atOnce, await leases.read('a', read)]).toEqual([1, 1, 1]);
  expect(await leases.read('b', read)).toBe(2);
});

test('after half a second it is read anew, counted from before the reading however long that took', async () => {
  const leases = new Leases<number>();
  let finish: (value: number) => void = () => undefined;
  const slow = leases.read('a', () => new Promise((resolve) => (finish = resolve)));
  jest.advanceTimersByTime(500);
  const next = leases.read('a', () => Promise.resolve(2));
  finish(1);
  expect(await Promise.all([slow, next])).toEqual([1, 2]);
});

test('whoever waits for the leases’ end outlives every reading from before', async () => {
  const leases = new Leases<number>();
  const read = countedReading();
  await leases.read('a', read);
  let waited = false;
  const waiting = leasesHaveRunOut().then(() => (waited = true));
  await jest.advanceTimersByTimeAsync(500);
  expect(waited).toBe(false);
  await jest.advanceTimersByTimeAsync(100);
  await waiting;
  expect(await leases.read('a', read)).toBe(2);
});

test('a machine that slept trusts nothing from before, though its own clock stood still', async () => {
  const leases = new Leases<number>();
  const read = countedReading();
  await leases.read('a', read);
  jest.setSystemTime(Date.now() + 60_000);
  expect(await leases.read('a', read)).toBe(2);
});

test('a reading that failed is nobody’s but theirs who asked for it', async () => {
  const leases = new Leases<number>();
  await expect(leases.read('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await leases.read('a', () => Promise.resolve(1))).toBe(1);
});
