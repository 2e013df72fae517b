import { setTimeout as sleep } from 'node:timers/promises';
import { makeKey } from '../support/api-keys';
import { createEmptyDatabase } from '../support/empty-database';
import { rateOf } from '../support/expect-refusal';
import { Client } from '../support/http-client';
import { TestRedis } from '../support/redis';
import { freePort, type ServiceProcess } from '../support/service-process';
import { WebhookReceiver } from '../support/webhook-receiver';
import { Haproxy } from './haproxy';
import { prepare, Services } from './installation';
import { Load, stopLoads } from './load';
import { until } from './support';

jest.setTimeout(300_000);

const READS = 1000;
const WRITES = 200;

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let redis: TestRedis;
let services: Services;
let ports: [number, number];
let instances: ServiceProcess[];
let haproxy: Haproxy;
let key: string;
const cleanups: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  database = await createEmptyDatabase();
  cleanups.push(() => database.drop());
  key = await prepare(database.url);
  redis = await TestRedis.start();
  cleanups.push(() => redis.kill());
  services = new Services();
  cleanups.push(() => services.remove());
  ports = [await freePort(), await freePort()];
  instances = [];
  for (const port of ports) instances.push(await start(port));
  haproxy = await Haproxy.share(ports);
  cleanups.push(() => haproxy.stop());
  await until(async () => (await new Client(haproxy.url).get('/health/ready')).status === 200, {
    withinMs: 20_000,
  });
});
afterEach(stopLoads);
afterAll(async () => {
  for (const clean of cleanups.reverse()) await clean();
});

function start(port: number): Promise<ServiceProcess> {
  return services.start({
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    PORT: String(port),
    RATE_LIMIT_READS: String(READS),
    RATE_LIMIT_WRITES: String(WRITES),
    SHUTDOWN_DELAY: '5',
  });
}

/** A new key, with the whole of its limits, used through haproxy. */
async function newClient(): Promise<Client> {
  const { secret } = await makeKey(new Client(instances[0]!.baseUrl, key));
  return new Client(haproxy.url, secret);
}

async function tally(count: number, ask: () => Promise<{ status: number }>): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  for (const { status } of await Promise.all(Array.from({ length: count }, ask))) {
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

async function areShared(): Promise<boolean> {
  const { key: secret } = await newClient();
  await new Client(instances[0]!.baseUrl, secret).get('/v1/me');
  return rateOf(await new Client(instances[1]!.baseUrl, secret).get('/v1/me')).remaining === READS - 2;
}

test('the reads and writes of one key are exact to the request', async () => {
  const client = await newClient();
  expect(await tally(READS + 300, () => client.get('/v1/me'))).toEqual({ 200: READS, 429: 300 });
  expect(await tally(WRITES + 100, () => client.delete('/v1/nope'))).toEqual({ 404: WRITES, 429: 100 });
});

test('a revoked key is refused by the other instance at the very next request', async () => {
  const operator = new Client(instances[0]!.baseUrl, key);
  for (let round = 0; round < 40; round++) {
    const { view, secret } = await makeKey(operator);
    const [revoker, other] = round % 2 ? instances : instances.toReversed();
    const user = new Client(other!.baseUrl, secret);
    expect((await user.get('/v1/me')).status).toBe(200);
    await new Client(revoker!.baseUrl, key).delete(`/v1/api-keys/${view.id}`);
    expect((await user.get('/v1/me')).status).toBe(401);
  }
});

test('without Redis each instance grants the limits, and nothing fails; with it they are exact again', async () => {
  await redis.kill();
  const client = await newClient();
  const statuses = await tally(2 * READS + 300, () => client.get('/v1/me'));
  expect(Object.keys(statuses).sort()).toEqual(['200', '429']);
  expect(statuses[200]).toBeGreaterThan(READS);
  expect(statuses[200]).toBeLessThanOrEqual(2 * READS);
  expect((await client.post('/v1/leads', { email: 'ana@example.com' })).status).toBe(403);
  expect((await new Client(haproxy.url, key).post('/v1/leads', { email: 'a@example.com' })).status).toBe(201);

  await redis.resume();
  await until(areShared, { withinMs: 20_000, everyMs: 1000 });
  const again = await newClient();
  expect(await tally(READS + 100, () => again.get('/v1/me'))).toEqual({ 200: READS, 429: 100 });
});

test('a rolling restart under load loses no request, and each job is done once', async () => {
  const receiver = await WebhookReceiver.start();
  cleanups.push(() => receiver.stop());
  const owner = new Client(instances[0]!.baseUrl, key);
  await owner.post('/v1/webhooks', { url: receiver.url, events: ['lead.created'] });
  // So slow and with so many keys that no limit gets in the way.
  const keys: string[] = [];
  while (keys.length < 10) keys.push((await makeKey(owner, { scopes: ['leads:write'] })).secret);
  const load = new Load([haproxy.url], keys, { clients: 10, pauseMs: 400 });
  await sleep(1000);
  for (const [index, port] of ports.entries()) {
    expect(await instances[index]!.stop()).toBe(0);
    const before = load.confirmed.length;
    await until(() => load.confirmed.length > before + 10, { withinMs: 20_000 });
    instances[index] = await start(port);
    await sleep(2000);
  }
  await load.stop();
  console.info('rolling restart', load.tally());
  expect(load.tally()).toEqual({ 201: load.attempts.length });
  await load.expectHonest(database.url);
  await until(() => receiver.received.length >= load.confirmed.length, { withinMs: 60_000 });
  await sleep(1000);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids.length).toBe(load.confirmed.length);
  expect(new Set(ids).size).toBe(ids.length);
});
