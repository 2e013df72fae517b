import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEmptyDatabase } from '../support/empty-database';
import { Client } from '../support/http-client';
import { onConnection } from '../support/sql';
import { prepare, readiness, Services } from './installation';
import { Load, stopLoads } from './load';
import { until } from './support';

jest.setTimeout(300_000);

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let services: Services;
let key: string;
beforeAll(async () => {
  database = await createEmptyDatabase();
  key = await prepare(database.url);
  services = new Services();
});
afterEach(stopLoads);
afterAll(async () => {
  await services.remove();
  await database.drop();
});

test.each([1, 2])('five services of %i workers, stopped under load, cut no request off', async (workers) => {
  const loads: Load[] = [];
  for (let round = 0; round < 5; round++) {
    const service = await services.start({ DATABASE_URL: database.url, WORKERS: String(workers) });
    const load = new Load([service.baseUrl], key, { clients: 30, pauseMs: 20 * Math.random() });
    loads.push(load);
    await until(() => load.confirmed.length > 6 * round, { withinMs: 60_000, everyMs: 5 });
    expect(await service.stop()).toBe(0);
    await load.stop();
    // Nobody listens any more: that is told before anything is sent, and so may be tried again elsewhere.
    expect(load.broken.filter(({ failure }) => failure !== 'ECONNREFUSED')).toEqual([]);
    await load.expectHonest(database.url);
    expect((await load.stored(database.url)).size).toBe(load.confirmed.length);
  }
  const confirmed = loads.map((load) => load.confirmed.length).join(' + ');
  console.info(`${workers} workers: ${confirmed} leads confirmed between stops`);
});

test('during the delay it isn’t ready, goes on serving, and sends clients away one by one', async () => {
  const service = await services.start({ DATABASE_URL: database.url, SHUTDOWN_DELAY: '3' });
  const client = new Client(service.baseUrl, key);
  expect((await client.get('/v1/me')).headers.connection).toBe('keep-alive');
  const stopped = service.stop();
  await until(async () => (await readiness(service)) === 'stopping', { withinMs: 2_000, everyMs: 20 });
  for (let count = 0; count < 20; count++) {
    const { status, headers } = await client.post('/v1/leads', { email: 'late@example.com' });
    expect({ status, connection: headers.connection }).toEqual({ status: 201, connection: 'close' });
    await sleep(20);
  }
  expect(await stopped).toBe(0);
  await expect(client.get('/v1/me')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('what is under way is answered, what never ends is cut off at last', async () => {
  const service = await services.start({ DATABASE_URL: database.url });
  const client = new Client(service.baseUrl, key);
  const { port } = new URL(service.baseUrl);
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const endless = http.request({ port, method: 'POST', path: '/v1/leads', headers });
  const cutOff = once(endless, 'error');
  endless.write('{');
  await onConnection(database.url, async (blocker) => {
    await blocker.query('BEGIN; LOCK TABLE leads IN ACCESS EXCLUSIVE MODE');
    const waiting = client.post('/v1/leads', { email: 'waiting@example.com' });
    await sleep(500);
    const stopped = service.stop();
    await sleep(1500);
    await blocker.query('COMMIT');
    const { status, headers: answered } = await waiting;
    expect({ status, connection: answered.connection }).toEqual({ status: 201, connection: 'close' });
    await cutOff;
    expect(await stopped).toBe(0);
  });
});
