import { stat } from 'node:fs/promises';
import type { TestWorkspace } from '../support/start-gala';
import { rateOf } from '../support/expect-refusal';
import { Client } from '../support/http-client';
import { TestRedis } from '../support/redis';
import { startGala, type TestGala } from '../support/start-gala';
import { fileNeeds } from '../support/requirements';
import { eventually } from '../support/until';

fileNeeds('redis-server');

const READS = 60;

let redis: TestRedis;
let one: TestGala;
let two: TestGala;
let workspace: TestWorkspace;
const cleanups: (() => Promise<void>)[] = [];
beforeAll(async () => {
  redis = await TestRedis.start();
  cleanups.push(() => redis.kill());
  const configuration = { rateLimits: { reads: READS, writes: 30, address: 40 }, redisUrl: redis.url };
  one = await startGala({ configuration });
  cleanups.push(() => one.stop());
  two = await startGala({ configuration, databaseUrl: one.databaseUrl });
  cleanups.push(() => two.stop());
  workspace = await one.createWorkspace();
  await eventually(async () => expect(await areShared()).toBe(true));
});
afterAll(async () => {
  for (const clean of cleanups.reverse()) await clean();
});

/** One new key's clients on both instances. */
async function twins(owner = workspace): Promise<[Client, Client]> {
  const key = await owner.key('live');
  return [new Client(one.baseUrl, key), new Client(two.baseUrl, key)];
}

/** Asked again and again, so in workspaces of its own: a workspace may have 100 keys. */
async function areShared(): Promise<boolean> {
  const [first, second] = await twins(await one.createWorkspace());
  await first.get('/v1/me');
  return rateOf(await second.get('/v1/me')).remaining === READS - 2;
}

/** Asks both instances at once; how many of all requests got which status. */
async function flood(count: number, request: (index: number) => Promise<{ status: number }>) {
  const answers = await Promise.all(Array.from({ length: count }, (_, index) => request(index)));
  const tally: Record<number, number> = {};
  for (const { status } of answers) tally[status] = (tally[status] ?? 0) + 1;
  return tally;
}

describe('two instances that share a Redis', () => {
  test('let exactly the limit through, however many ask both at once', async () => {
    const both = await twins();
    expect(await flood(4 * READS, (index) => both[index % 2]!.get('/v1/me'))).toEqual({
      200: READS,
      429: 3 * READS,
    });
    expect(await flood(60, (index) => both[index % 2]!.delete('/v1/nope'))).toEqual({ 404: 30, 429: 30 });
  });

  test('count one after the other down by one, with one reset', async () => {
    const both = await twins();
    const rates = [];
    for (let count = 0; count < 10; count++) rates.push(rateOf(await both[count % 2]!.get('/v1/me')));
    expect(rates.map(({ remaining }) => remaining)).toEqual(rates.map((_, index) => READS - 1 - index));
    const resets = rates.map(({ reset }) => reset);
    expect(Math.max(...resets) - Math.min(...resets)).toBeLessThanOrEqual(1);
  });

  test('take what Redis answers in time, however late they come to read it', async () => {
    const both = await twins();
    redis.freeze();
    const answers = flood(2 * READS, (index) => both[index % 2]!.get('/v1/me'));
    await new Promise((resolve) => setTimeout(resolve, 400));
    await stat(__filename); // From here to the next await is a callback after which timers come before answers.
    redis.thaw();
    for (const end = Date.now() + 1200; Date.now() < end;);
    expect(await answers).toEqual({ 200: READS, 429: READS });
  });

  test('share the address’s limit too', async () => {
    const tally = await flood(100, (index) => (index % 2 ? one : two).anonymous.get('/v1/me'));
    expect(tally).toEqual({ 401: 40, 429: 60 });
  });
});

describe('when Redis', () => {
  test('dies, each instance counts by itself and goes on; when it is back, they share again', async () => {
    await redis.kill();
    const both = await twins();
    const startedAt = Date.now();
    for (let round = 0; round < 2; round++) {
      for (const client of both) expect((await client.get('/v1/me')).status).toBe(200);
    }
    expect(Date.now() - startedAt).toBeLessThan(4000);
    const others = await twins();
    expect(await flood(4 * READS, (index) => others[index % 2]!.get('/v1/me'))).toEqual({
      200: 2 * READS,
      429: 2 * READS,
    });
    expect(
      [...one.logged, ...two.logged].filter((line) => line.includes('Redis is unavailable')).length,
    ).toBe(2);

    await redis.resume();
    await eventually(async () => expect(await areShared()).toBe(true));
    const again = await twins();
    expect(await flood(2 * READS, (index) => again[index % 2]!.get('/v1/me'))).toEqual({
      200: READS,
      429: READS,
    });
  }, 40_000);

  test('hangs, requests are still answered, in bounded time', async () => {
    const both = await twins();
    redis.freeze();
    try {
      const startedAt = Date.now();
      for (const client of both) expect((await client.get('/v1/me')).status).toBe(200);
      expect(Date.now() - startedAt).toBeLessThan(5000);
    } finally {
      redis.thaw();
    }
    await eventually(async () => expect(await areShared()).toBe(true));
  }, 30_000);

  test('is not there at the start, the service starts all the same and stops in good order', async () => {
    const alone = await startGala({
      databaseUrl: one.databaseUrl,
      configuration: { redisUrl: 'redis://127.0.0.1:1' },
    });
    const client = await (await alone.createWorkspace()).client();
    expect((await client.get('/v1/me')).status).toBe(200);
    await alone.stop();
  });
});
