import { setTimeout as sleep } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { createDataSource } from '../../ormconfig';
import { Clock } from '../../src/kernel/clock';
import type { RecordedEvent } from '../../src/kernel/domain-event';
import type { Feature } from '../../src/platform/feature';
import { Metrics } from '../../src/platform/health/metrics';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import { EventSubscribers } from '../../src/platform/outbox/event-subscribers';
import { createSubscription, dropSubscription } from '../../src/platform/outbox/subscription';
import { Database } from '../../src/platform/persistence/database';
import { createDatabase } from '../support/database';
import { FakeClock, TickingClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { until } from '../support/until';

let database: Awaited<ReturnType<typeof createDatabase>>;
const started: TestGala[] = [];
beforeEach(async () => {
  database = await createDatabase();
  await withRunner(async (runner) => {
    await createSubscription(runner, 'one', ['lead.created']);
    await createSubscription(runner, 'other', ['lead.created', 'lead.archived']);
  });
  await sql(database.url, 'CREATE TABLE notes (subscriber text, event_id text)');
});
afterEach(async () => {
  for (const gala of started.splice(0)) await gala.stop();
  await database.drop();
});

type Runner = Parameters<typeof createSubscription>[0];

async function withRunner(work: (runner: Runner) => Promise<void>): Promise<void> {
  const dataSource = await createDataSource({ url: database.url, poolSize: 1 }).initialize();
  await work(dataSource.createQueryRunner());
  await dataSource.destroy();
}

type Handle = (event: RecordedEvent, database: Database) => Promise<void>;

/** A module that subscribes under these names. */
function subscribing(handlers: Record<string, Handle>): Feature {
  @Module({})
  class SubscribingModule {
    constructor(subscribers: EventSubscribers, database: Database) {
      for (const [name, handle] of Object.entries(handlers)) {
        subscribers.add({ name, handle: (event) => handle(event, database) });
      }
    }
  }
  return { module: SubscribingModule };
}

async function start(handlers: Record<string, Handle>, clock: Clock = new TickingClock()): Promise<Client> {
  const gala = await startGala({
    databaseUrl: database.url,
    extensions: [subscribing(handlers)],
    overrides: [{ provide: Clock, useValue: clock }],
  });
  started.push(gala);
  gala.app.get(BackgroundJobs).start();
  return (await gala.createWorkspace()).client();
}

const note =
  (name: string): Handle =>
  async ({ id }, database) => {
    await database.query({ text: 'INSERT INTO notes VALUES ($1, $2)', values: [name, id] });
  };

const notes = async (name: string) =>
  (
    await sql<{ event_id: string }>(database.url, 'SELECT event_id FROM notes WHERE subscriber = $1', [name])
  ).map((row) => row.event_id);
/** How often the events that wait have failed: it is written down some time after the failure. */
const failures = async () =>
  (await sql<{ attempts: number }>(database.url, 'SELECT attempts FROM subscriber_events')).map(
    ({ attempts }) => attempts,
  );
const waiting = async () =>
  (await sql<{ count: number }>(database.url, 'SELECT count(*)::int AS count FROM subscriber_events'))[0]!
    .count;

test('each subscriber gets the events of its types, as the API reads them', async () => {
  const heard: Record<string, RecordedEvent[]> = { one: [], other: [] };
  const hear =
    (name: string): Handle =>
    async (event) => {
      heard[name]!.push(event);
      return Promise.resolve();
    };
  const client = await start({ one: hear('one'), other: hear('other') });
  const { body: lead } = await client.post('/v1/leads', { email: 'ana@example.com' });
  await client.patch(`/v1/leads/${lead.id}`, { guests: 10 });
  await client.delete(`/v1/leads/${lead.id}`);
  await until(() => heard.one!.length === 1 && heard.other!.length === 2);
  const read = (await client.get('/v1/events')).body.data;
  const told = heard.other!.map(({ id, type, timestamp, workspace, cause, data }) => ({
    id,
    type,
    timestamp: timestamp.toISOString(),
    ...workspace,
    cause,
    data,
  }));
  for (const event of told) expect(read).toContainEqual(expect.objectContaining(event));
  const { id } = (await client.get('/v1/me')).body.credential;
  expect(told.map(({ cause }) => cause)).toEqual(Array(2).fill({ type: 'api_key', id }));
  expect(told.map(({ type }) => type).sort()).toEqual(['lead.archived', 'lead.created']);
  expect(heard.one!.map(({ type }) => type)).toEqual(['lead.created']);
  expect(await waiting()).toBe(0);
});

test('one that fails is asked again later, what it wrote is undone, and the other isn’t kept waiting', async () => {
  const clock = new FakeClock();
  let tries = 0;
  const failing: Handle = async (event, database) => {
    await note('one')(event, database);
    if (++tries < 3) throw new Error('not today');
  };
  const client = await start({ one: failing, other: note('other') }, clock);
  const { body: lead } = await client.post('/v1/leads', { email: 'ana@example.com' });
  expect(lead.id).toMatch(/^lead_/);
  await until(async () => (await notes('other')).length === 1 && tries === 1);
  expect(await notes('one')).toEqual([]);
  expect(await waiting()).toBe(1);
  await sleep(1500);
  expect(tries).toBe(1);
  clock.advance(1);
  await until(async () => (await failures())[0] === 2);
  expect(tries).toBe(2);
  clock.advance(2);
  await until(async () => (await waiting()) === 0);
  expect(tries).toBe(3);
  expect(await notes('one')).toEqual(await notes('other'));
  expect(started[0]!.logged.join('\n')).toContain('"attempts":2');
  const metrics = await started[0]!.app.get(Metrics, { strict: false }).render();
  expect(metrics).toContain('gala_subscriber_failures_total{subscriber="one"} 2');
  expect(metrics).toContain('gala_subscriber_events_waiting{subscriber="other"} 0');
});

test('of several instances one handles each event, and what one was at when it ended is not lost', async () => {
  let letGo!: () => void;
  const hanging = new Promise<void>((resolve) => (letGo = resolve));
  const clock = new FakeClock();
  const begin = jest.fn(() => hanging);
  const client = await start({ one: begin, other: note('other') }, clock);
  await client.post('/v1/leads', { email: 'ana@example.com' });
  await until(async () => begin.mock.calls.length === 1 && (await notes('other')).length === 1);
  // As if the instance had been killed: the database ends its transactions.
  await sql(
    database.url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'idle in transaction' AND pid <> pg_backend_pid()`,
  );
  await start({ one: note('one'), other: note('other') }, clock);
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => client.post('/v1/leads', { email: `ana${n}@example.com` })),
  );
  await until(async () => (await waiting()) === 0);
  for (const name of ['one', 'other']) {
    const ids = await notes(name);
    expect(ids).toHaveLength(21);
    expect(new Set(ids).size).toBe(21);
  }
  // Too late to count: it can’t commit any more.
  letGo();
});

test('an event that was thrown away meanwhile is let go', async () => {
  const clock = new FakeClock();
  let tries = 0;
  const failing: Handle = () => {
    tries++;
    return Promise.reject(new Error('never'));
  };
  const client = await start({ one: failing, other: note('other') }, clock);
  await client.post('/v1/leads', { email: 'ana@example.com' });
  await until(async () => (await failures()).includes(1));
  await sql(database.url, 'DELETE FROM events');
  clock.advance(3600);
  await until(async () => (await waiting()) === 0);
  expect(tries).toBe(1);
});

test('one without a subscription in the database keeps the service from starting', async () => {
  await expect(start({ nobody: note('nobody') })).rejects.toThrow(
    'The event subscriber nobody has no subscription in the database: call createSubscription in a migration of its module.',
  );
});

test('two can’t have the same name', async () => {
  const features = [subscribing({ one: note('one') }), subscribing({ one: note('one') })];
  await expect(startGala({ databaseUrl: database.url, extensions: features })).rejects.toThrow('added twice');
});

test('a subscription that is dropped leaves nothing behind', async () => {
  const client = await start({ other: note('other') });
  await client.post('/v1/leads', { email: 'ana@example.com' });
  await until(async () => (await waiting()) === 1);
  await withRunner((runner) => dropSubscription(runner, 'one'));
  await client.post('/v1/leads', { email: 'ben@example.com' });
  await until(async () => (await notes('other')).length === 2);
  expect(await waiting()).toBe(0);
});

test('names and types that would be no SQL are refused', async () => {
  await withRunner(async (runner) => {
    await expect(createSubscription(runner, 'a; DROP TABLE leads', ['lead.created'])).rejects.toThrow(
      'lower-case',
    );
    await expect(createSubscription(runner, 'good', ["lead.created') OR (true"])).rejects.toThrow(
      'types of its events',
    );
    await expect(createSubscription(runner, 'good', [])).rejects.toThrow('types of its events');
  });
});
