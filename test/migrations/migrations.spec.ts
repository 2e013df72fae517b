import { randomBytes } from 'node:crypto';
import { createDataSource } from '../../ormconfig';
import { migrations } from '../../migrations';
import { migrate } from '../../src/platform/persistence/migrate';
import { databaseUrl } from '../support/database';
import { sql } from '../support/sql';

jest.setTimeout(120_000);

let name: string;
let url: string;
beforeEach(async () => {
  name = `empty_${randomBytes(6).toString('hex')}`;
  url = databaseUrl(name);
  await sql(process.env.GALA_TEST_POSTGRES!, `CREATE DATABASE ${name}`);
});
afterEach(() => sql(process.env.GALA_TEST_POSTGRES!, `DROP DATABASE ${name} WITH (FORCE)`));

const names = migrations.map((migration) => migration.name);
const up = () => migrate(url, [() => createDataSource({ url, poolSize: 1, statementTimeoutMs: 0 })]);
async function down(): Promise<void> {
  const dataSource = await createDataSource({ url, poolSize: 1 }).initialize();
  for (const _ of migrations) await dataSource.undoLastMigration({ transaction: 'each' });
  await dataSource.destroy();
}

/** Everything in the schema but TypeORM's own table: columns, indexes, constraints, functions, types, triggers. */
async function schema(): Promise<string[]> {
  const rows = await sql<{ line: string }>(
    url,
    `SELECT format('column %s.%s %s %s %s %s', table_name, column_name, data_type, udt_name, is_nullable, collation_name) AS line
       FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'migrations'
     UNION ALL SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'migrations'
     UNION ALL SELECT format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
       FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conrelid <> coalesce(to_regclass('migrations'), 0)
     UNION ALL SELECT 'function ' || proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
     UNION ALL SELECT 'trigger ' || tgname FROM pg_trigger WHERE NOT tgisinternal
     UNION ALL SELECT 'type ' || typname FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd', 'r')
     ORDER BY 1`,
  );
  return rows.map(({ line }) => line);
}

test('an empty database gets them all, in order, and none twice', async () => {
  expect(await up()).toEqual(names);
  expect(await schema()).not.toEqual([]);
  expect(await up()).toEqual([]);
});

test('down leaves nothing, and up again gives the same schema', async () => {
  expect(await schema()).toEqual([]);
  await up();
  const first = await schema();
  await down();
  expect(await schema()).toEqual([]);
  expect(await up()).toEqual(names);
  expect(await schema()).toEqual(first);
});

test('each can be taken back by itself, and put on again', async () => {
  await up();
  const dataSource = await createDataSource({ url, poolSize: 1 }).initialize();
  const all = dataSource.migrations;
  for (let count = all.length; count > 0; count--) {
    // As in the release that ended with this migration.
    Object.assign(dataSource, { migrations: all.slice(0, count) });
    const before = await schema();
    await dataSource.undoLastMigration();
    expect(await dataSource.runMigrations()).toHaveLength(1);
    expect(await schema()).toEqual(before);
    await dataSource.undoLastMigration();
  }
  await dataSource.destroy();
  expect(await schema()).toEqual([]);
});

test('of several instances that start at once one migrates and the others wait for it', async () => {
  const ran = await Promise.all([up(), up(), up(), up()]);
  expect(ran.flat()).toEqual(names);
  const recorded = await sql(url, 'SELECT name FROM migrations ORDER BY id');
  expect(recorded.map((row) => row.name)).toEqual(names);
});

test('a migration that fails leaves the database as it was', async () => {
  await sql(url, 'CREATE TABLE events (id int)');
  const before = await schema();
  const log = jest.spyOn(console, 'log').mockImplementation();
  await expect(up()).rejects.toThrow();
  log.mockRestore();
  expect(await schema()).toEqual(before);
  await sql(url, 'DROP TABLE events');
  expect(await up()).toEqual(names);
});

test('they need no superuser and nothing but their own database', async () => {
  const role = `plain_${randomBytes(6).toString('hex')}`;
  await sql(process.env.GALA_TEST_POSTGRES!, `CREATE ROLE ${role} LOGIN PASSWORD 'plain'`);
  await sql(process.env.GALA_TEST_POSTGRES!, `ALTER DATABASE ${name} OWNER TO ${role}`);
  const plain = new URL(url);
  Object.assign(plain, { username: role, password: 'plain' });
  const ran = await migrate(plain.href, [() => createDataSource({ url: plain.href, poolSize: 1 })]);
  expect(ran).toEqual(names);
  await sql(url, `REASSIGN OWNED BY ${role} TO CURRENT_USER`);
  await sql(url, `DROP OWNED BY ${role}`);
  await sql(process.env.GALA_TEST_POSTGRES!, `ALTER DATABASE ${name} OWNER TO CURRENT_USER`);
  await sql(process.env.GALA_TEST_POSTGRES!, `DROP ROLE ${role}`);
});

test('every mapped column is there, with its type and its nullability', async () => {
  await up();
  const dataSource = await createDataSource({ url, poolSize: 1 }).initialize();
  const columns = await sql<{ key: string; type: string; nullable: boolean }>(
    url,
    `SELECT attrelid::regclass || '.' || attname AS key, format_type(atttypid, NULL) AS type, NOT attnotnull AS nullable
     FROM pg_attribute WHERE attrelid IN (SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace)
       AND attnum > 0 AND NOT attisdropped`,
  );
  const stored = new Map(columns.map(({ key, ...rest }) => [key, rest]));
  const TYPES: Record<string, string> = { timestamptz: 'timestamp with time zone', int: 'integer' };
  let mapped = 0;
  for (const { tableName, columns: mappings } of dataSource.entityMetadatas) {
    for (const { databaseName, type, isArray, isNullable } of mappings) {
      mapped++;
      const plainType = TYPES[String(type)] ?? String(type);
      expect({
        column: `${tableName}.${databaseName}`,
        ...stored.get(`${tableName}.${databaseName}`),
      }).toEqual({
        column: `${tableName}.${databaseName}`,
        type: isArray ? `${plainType}[]` : plainType,
        nullable: isNullable,
      });
    }
    // What a mapping leaves out would be lost by an insert through it.
    const required = columns.filter(({ key, nullable }) => key.startsWith(`${tableName}.`) && !nullable);
    for (const { key } of required)
      expect(mappings.map(({ databaseName }) => `${tableName}.${databaseName}`)).toContain(key);
  }
  expect(mapped).toBeGreaterThan(25);
  // TypeORM knows neither our indexes, checks and foreign keys nor collations and precisions; beyond these it finds
  // nothing to add or to take away.
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  const differences = upQueries.map(({ query }) => query);
  expect(
    differences.filter((query) => /CREATE TABLE|ADD|DROP COLUMN|DROP TABLE|NOT NULL/.test(query)),
  ).toEqual([]);
  for (const { tableName, primaryColumns } of dataSource.entityMetadatas) {
    const [key] = await sql<{ columns: string[] }>(
      url,
      `SELECT array_agg(attname::text ORDER BY attname) AS columns FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
       WHERE indisprimary AND indrelid = $1::regclass`,
      [tableName],
    );
    expect(primaryColumns.map(({ databaseName }) => databaseName).sort()).toEqual(key!.columns);
  }
  await dataSource.destroy();
});
