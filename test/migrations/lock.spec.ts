import { MigrationLock } from '../../src/platform/persistence/migration-lock';
import { createEmptyDatabase } from '../support/empty-database';
import { sql } from '../support/sql';
import { until } from '../support/until';

jest.setTimeout(60_000);

const SESSIONS = `SELECT pid FROM pg_stat_activity WHERE application_name = 'gala-migrate'
  AND datname = current_database()`;

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(() => database.drop());

test('who waits for the lock of migrations says who holds it, and gets it when that session ends', async () => {
  const first = await MigrationLock.take(database.url, () => undefined);
  const [holder] = await sql<{ pid: number }>(database.url, SESSIONS);
  const said: string[] = [];
  const second = MigrationLock.take(database.url, (line) => said.push(line));
  await until(() => said.length > 0);
  expect(said[0]).toContain(`pid ${holder!.pid} (gala-migrate) from 127.0.0.1, connected since 2`);
  expect(said[0]).toContain(`SELECT pg_terminate_backend(${holder!.pid});`);
  await first.release();
  const lock = await second;
  await lock.expectHeld();
  await lock.release();
});

test('a lock whose session was lost is noticed', async () => {
  const lock = await MigrationLock.take(database.url, () => undefined);
  await lock.expectHeld();
  await sql(database.url, `SELECT pg_terminate_backend(pid) FROM (${SESSIONS}) AS sessions`);
  await expect(lock.expectHeld()).rejects.toThrow('lock of migrations was lost');
  await lock.release();
});

test('the lock of another database keeps nobody waiting', async () => {
  const other = await createEmptyDatabase();
  const locks = [await MigrationLock.take(database.url, () => undefined)];
  locks.push(await MigrationLock.take(other.url, () => undefined));
  for (const lock of locks) await lock.release();
  await other.drop();
});

test('an unreachable database is said to be so', async () => {
  const url = new URL(database.url);
  url.port = '9';
  await expect(MigrationLock.take(url.href, () => undefined)).rejects.toThrow('Check DATABASE_URL');
});
