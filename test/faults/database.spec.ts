import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../support/http-client';
import type { ServiceProcess } from '../support/service-process';
import { onConnection, sql } from '../support/sql';
import { WebhookReceiver } from '../support/webhook-receiver';
import { prepare, readiness, Services } from './installation';
import { Load, stopLoads } from './load';
import { PostgresServer } from './postgres-server';
import { until } from './support';

jest.setTimeout(300_000);

const AWAY_MS = 30_000;
/** What the specification of the service promises. */
const RECOVERY_MS = 5_000;
/** A connection, a statement, and the silence that ends both, with room for a slow machine. */
const ANSWER_MS = 25_000;

let postgres: PostgresServer;
let services: Services;
let service: ServiceProcess;
let client: Client;
let key: string;
let receiver: WebhookReceiver;
const cleanups: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  postgres = await PostgresServer.create();
  cleanups.push(() => postgres.remove());
  key = await prepare(postgres.url);
  services = new Services();
  cleanups.push(() => services.remove());
  service = await services.start({ DATABASE_URL: postgres.url });
  client = new Client(service.baseUrl, key);
  receiver = await WebhookReceiver.start();
  cleanups.push(() => receiver.stop());
  expect((await client.post('/v1/webhooks', { url: receiver.url, events: ['lead.created'] })).status).toBe(
    201,
  );
});
afterEach(stopLoads);
afterAll(async () => {
  for (const clean of cleanups.reverse()) await clean();
});

/** From the moment that the database is there again. */
async function expectRecovery(): Promise<void> {
  const backAt = Date.now();
  const works = async () => {
    const { status } = await client.post('/v1/leads', { email: 'back@example.com' });
    return status === 201;
  };
  await until(works, { withinMs: RECOVERY_MS });
  const recoveredAt = Date.now();
  await until(async () => (await readiness(service)) === 'ok', { withinMs: RECOVERY_MS });
  console.info(`${expect.getState().currentTestName}: served again after ${recoveredAt - backAt} ms`);
  await expectJobs();
  expect(service.isRunning).toBe(true);
}

/** What goes on beside the requests: a new event is delivered, and heard of without polling. */
async function expectJobs(): Promise<void> {
  const { body } = await client.post('/v1/leads', { email: 'event@example.com' });
  const isDelivered = () => receiver.received.some(({ body: bytes }) => bytes.includes(body.id));
  await until(isDelivered, { withinMs: 60_000 });
  const areListening = async () => {
    const rows = await sql(
      postgres.url,
      `SELECT 1 FROM pg_stat_activity WHERE application_name = 'gala-listen' AND query LIKE 'LISTEN%'`,
    );
    return rows.length === 2;
  };
  await until(areListening, { withinMs: 10_000 });
}

/** Everything that happens while the database is away is answered, and with nothing but server errors. */
async function expectOutage(load: Load, from: number): Promise<void> {
  const during = load.attempts.filter(({ startedAt }) => startedAt > from + 1000);
  expect(during.length).toBeGreaterThan(0);
  expect(during.filter(({ answer }) => answer?.status !== 500).map(({ answer }) => answer?.status)).toEqual(
    [],
  );
  expect(load.broken).toEqual([]);
  expect(load.slowestMs()).toBeLessThan(ANSWER_MS);
  expect(await readiness(service)).toBe('database unavailable');
  expect((await client.get('/health/live')).status).toBe(200);
}

test('PostgreSQL stopped for 30 s under load', async () => {
  const load = new Load([service.baseUrl], key);
  await sleep(1000);
  await postgres.stop();
  const stoppedAt = Date.now();
  await sleep(AWAY_MS);
  await expectOutage(load, stoppedAt);
  await postgres.start();
  await expectRecovery();
  await load.stop();
  console.info('stopped', load.tally());
  await load.expectHonest(postgres.url);
});

test('PostgreSQL frozen for 30 s under load', async () => {
  const load = new Load([service.baseUrl], key);
  await sleep(1000);
  postgres.freeze();
  const frozenAt = Date.now();
  await sleep(AWAY_MS);
  await expectOutage(load, frozenAt);
  postgres.thaw();
  await expectRecovery();
  await load.stop();
  console.info('frozen', load.tally());
  await load.expectHonest(postgres.url);
});

test('all connections killed again and again under load', async () => {
  const load = new Load([service.baseUrl], key);
  const killed: number[] = [];
  for (let round = 0; round < 10; round++) {
    await sleep(400);
    const rows = await sql(
      postgres.url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'gala%'`,
    );
    killed.push(rows.length);
  }
  await expectRecovery();
  await load.stop();
  console.info('killed', killed.join(' + '), load.tally());
  expect(Math.min(...killed)).toBeGreaterThan(0);
  expect(load.broken).toEqual([]);
  expect(load.confirmed.length).toBeGreaterThan(0);
  await load.expectHonest(postgres.url);
});

test('every connection taken: whoever waits is answered, and the service stays in service', async () => {
  await onConnection(postgres.url, async (blocker) => {
    await blocker.query('BEGIN; LOCK TABLE leads IN ACCESS EXCLUSIVE MODE');
    const load = new Load([service.baseUrl], key, { clients: 200 });
    await sleep(12_000);
    expect(await readiness(service)).toBe('ok');
    await blocker.query('COMMIT');
    await load.stop();
    await expectRecovery();
    console.info('taken', load.tally());
    expect(load.broken).toEqual([]);
    expect(load.tally()['500']).toBeGreaterThan(0);
    expect(load.slowestMs()).toBeLessThan(ANSWER_MS);
    await load.expectHonest(postgres.url);
  });
});
