import type { Client } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import { createDataSource } from '../../ormconfig';
import { createSubscription, dropSubscription } from '../../src/platform/outbox/subscription';
import { createDatabase } from '../support/database';
import { onConnection, sql } from '../support/sql';
import { until } from '../support/until';

let database: Awaited<ReturnType<typeof createDatabase>>;
let dataSource: DataSource;
let runner: QueryRunner;
beforeEach(async () => {
  database = await createDatabase();
  dataSource = await createDataSource({ url: database.url, poolSize: 1 }).initialize();
  runner = dataSource.createQueryRunner();
  // As migrations of extensions run.
  await runner.startTransaction();
});
afterEach(async () => {
  await dataSource.destroy();
  await database.drop();
});

const create = () => createSubscription(runner, 'vendors', ['lead.created']);
const subscribed = async () =>
  (await sql(database.url, `SELECT FROM pg_trigger WHERE tgname = 'subscriber_vendors'`)).length === 1;

/** Works while another transaction holds locks. */
async function whileLocked(statement: string, work: (client: Client) => Promise<void>): Promise<void> {
  await onConnection(database.url, async (client) => {
    await client.query('BEGIN');
    await client.query(statement);
    await work(client);
  });
}
const whileAnotherAppends = (work: (client: Client) => Promise<void>) =>
  whileLocked('LOCK TABLE events IN ROW EXCLUSIVE MODE', work);

/** Locks as an INSERT does, unless it has to wait for longer. */
const append = (client: Client, timeout: string) =>
  client.query(`SET lock_timeout = '${timeout}'; LOCK TABLE events IN ROW EXCLUSIVE MODE`);

const isWaiting = async () => (await sql(database.url, 'SELECT FROM pg_locks WHERE NOT granted')).length > 0;

test('a subscription waits for a long transaction, and lets others append events meanwhile', async () => {
  await runner.query(`SET LOCAL lock_timeout = '4s'`);
  await whileAnotherAppends(async (holder) => {
    const created = create();
    await until(isWaiting);
    await onConnection(database.url, (client) => append(client, '2s'));
    await holder.query('COMMIT');
    await created;
  });
  expect(await runner.query('SHOW lock_timeout')).toEqual([{ lock_timeout: '4s' }]);
  await runner.commitTransaction();
  expect(await subscribed()).toBe(true);
});

test('one that gets no lock fails with a sentence, and the migration may go on', async () => {
  await whileAnotherAppends(async () => {
    await expect(create()).rejects.toThrow(/held a lock .* Run the migration again .* CREATE TRIGGER/s);
  });
  expect(await runner.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await create();
  await runner.commitTransaction();
  expect(await subscribed()).toBe(true);
});

test('events can be appended while the queue is deleted, and those of that time are deleted too', async () => {
  await create();
  await runner.commitTransaction();
  const queue = (event: string) =>
    sql(
      database.url,
      `INSERT INTO subscriber_events SELECT gen_random_uuid(), 'live', '${event}', 'vendors', 0, now()`,
    );
  await queue('00000000-0000-0000-0000-000000000001');
  await runner.startTransaction();
  await whileLocked('SELECT FROM subscriber_events FOR UPDATE', async (holder) => {
    const dropped = dropSubscription(runner, 'vendors');
    await until(isWaiting);
    await onConnection(database.url, (client) => append(client, '100ms'));
    await queue('00000000-0000-0000-0000-000000000002');
    await holder.query('COMMIT');
    await dropped;
  });
  await runner.commitTransaction();
  expect(await subscribed()).toBe(false);
  expect(await sql(database.url, 'SELECT FROM subscriber_events')).toEqual([]);
});
