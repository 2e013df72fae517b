import type { DataSource } from 'typeorm';
import { createDataSource } from '../../ormconfig';
import { AppOrigins1829000000000 } from '../../migrations/1829000000000-app-origins';
import { createDatabase } from '../support/database';
import { onConnection, sql } from '../support/sql';
import { until } from '../support/until';

const { name } = AppOrigins1829000000000;

let database: Awaited<ReturnType<typeof createDatabase>>;
let dataSource: DataSource;
beforeEach(async () => {
  database = await createDatabase();
  dataSource = await createDataSource({ url: database.url, poolSize: 1, statementTimeoutMs: 0 }).initialize();
  while (await isApplied()) await dataSource.undoLastMigration({ transaction: 'each' });
});
afterEach(async () => {
  await dataSource.destroy();
  await database.drop();
});

const isApplied = async () =>
  (await sql(database.url, 'SELECT FROM migrations WHERE name = $1', [name])).length > 0;
const isWaiting = async () => (await sql(database.url, 'SELECT FROM pg_locks WHERE NOT granted')).length > 0;

test('apps can be read while the migration waits for a transaction that read them', async () => {
  await onConnection(database.url, async (holder) => {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM oauth_apps');
    const migrated = dataSource.runMigrations({ transaction: 'each' });
    await until(isWaiting);
    await onConnection(database.url, (client) =>
      client.query(`SET lock_timeout = '2s'; SELECT FROM oauth_apps`),
    );
    await holder.query('COMMIT');
    await migrated;
  });
  expect(await sql(database.url, 'SELECT allowed_origins FROM oauth_apps')).toEqual([]);
  expect(await isApplied()).toBe(true);
});

test('an interrupted run can be repeated', async () => {
  await sql(database.url, `ALTER TABLE oauth_apps ADD COLUMN allowed_origins text[] NOT NULL DEFAULT '{}'`);
  await dataSource.runMigrations({ transaction: 'each' });
  expect(await isApplied()).toBe(true);
});
