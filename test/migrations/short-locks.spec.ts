import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../ormconfig';
import { migrations } from '../../migrations';
import { createDatabase } from '../support/database';
import { sql } from '../support/sql';
import { until } from '../support/until';

jest.setTimeout(120_000);

let database: Awaited<ReturnType<typeof createDatabase>>;
let dataSource: DataSource;
beforeEach(async () => {
  database = await createDatabase();
  dataSource = await createDataSource({
    url: database.url,
    poolSize: 1,
    statementTimeoutMs: 0,
  }).initialize();
});
afterEach(async () => {
  await dataSource.destroy();
  await database.drop();
});

const isApplied = async (name: string) =>
  (await sql(database.url, 'SELECT FROM migrations WHERE name = $1', [name])).length > 0;
const isWaiting = async () => {
  const waiting = await sql(database.url, `SELECT FROM pg_locks WHERE NOT granted AND locktype = 'relation'`);
  return waiting.length > 0;
};

test.each([
  'LeadFields1856000000000',
  'Tasks1840000000000',
  'Activities1839000000000',
  'LostReasons1833000000000',
  'Stages1832000000000',
])('while %s waits for a long transaction, others write', async (name) => {
  expect(migrations.map((migration) => migration.name)).toContain(name);
  while (await isApplied(name)) await dataSource.undoLastMigration({ transaction: 'each' });
  const long = new Client(database.url);
  await long.connect();
  await long.query('BEGIN; LOCK TABLE workspaces IN ROW EXCLUSIVE MODE');
  const migrated = dataSource.runMigrations({ transaction: 'each' });
  await until(isWaiting);
  await sql(
    database.url,
    `DO $$ BEGIN
         SET LOCAL lock_timeout = '2s';
         LOCK TABLE workspaces IN ROW EXCLUSIVE MODE;
       END $$`,
  ).finally(() => long.end());
  await migrated;
  expect(await isApplied(name)).toBe(true);
});
