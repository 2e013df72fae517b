import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../ormconfig';
import { EmailKeys1817000000000 } from '../../migrations/1817000000000-email-keys';
import { createDatabase } from '../support/database';
import { sql } from '../support/sql';

const { name } = EmailKeys1817000000000;

let database: Awaited<ReturnType<typeof createDatabase>>;
let dataSource: DataSource;
beforeEach(async () => {
  database = await createDatabase();
  dataSource = await createDataSource({ url: database.url, poolSize: 1 }).initialize();
  while (await isApplied()) await dataSource.undoLastMigration();
});
afterEach(async () => {
  await dataSource.destroy();
  await database.drop();
});

const isApplied = async () =>
  (await sql(database.url, 'SELECT FROM migrations WHERE name = $1', [name])).length > 0;

/** As the former release adds one. */
async function addUser(email: string, day: number, passwordHash: string | null = null): Promise<string> {
  const id = randomUUID();
  await sql(
    database.url,
    'INSERT INTO users (id, email, created_at, password_hash) VALUES ($1, $2, $3, $4)',
    [id, email, new Date(Date.UTC(2026, 0, day)), passwordHash],
  );
  return id;
}

const keysOf = async (ids: string[]) => {
  const rows = await sql<{ id: string; email_key: string }>(database.url, 'SELECT id, email_key FROM users');
  return ids.map((id) => rows.find((row) => row.id === id)!.email_key);
};

test('of accounts that turn out to have one address, the oldest with a password keeps it, and none is lost', async () => {
  const ids = [
    await addUser('zoe\u0308@example.com', 1),
    await addUser('ZOË@example.com', 3, 'hash'),
    await addUser('Zoe\u0308\u0323@example.com', 2, 'hash'),
    await addUser('ana@example.com', 4),
  ];
  await dataSource.runMigrations();
  expect(await keysOf(ids)).toEqual([
    `zoë@example.com ${ids[0]}`,
    'zoë@example.com',
    'zoe\u0323\u0308@example.com'.normalize('NFC'),
    'ana@example.com',
  ]);
});

test('an instance of the former release goes on adding accounts, each with its key', async () => {
  await dataSource.runMigrations();
  const ids = [await addUser('ANA@example.com', 1), await addUser('ZOE\u0308@example.com', 1)];
  expect(await keysOf(ids)).toEqual(['ana@example.com', 'zoë@example.com']);
  await sql(
    database.url,
    `INSERT INTO users (id, email, created_at) VALUES ($1, 'Ana@Example.com', now()) ON CONFLICT (lower(email)) DO NOTHING`,
    [randomUUID()],
  );
  expect(await sql(database.url, 'SELECT FROM users')).toHaveLength(2);
});
