import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';

/** Any number, as long as every instance takes the same: "gala" in ASCII. */
const MIGRATION_LOCK = 0x67616c61;
const LOCK_POLL_MS = 200;

/** The database can't be had. The message names neither its address nor its password: both are in DATABASE_URL. */
export class DatabaseUnreachable extends Error {
  constructor(cause: NodeJS.ErrnoException) {
    const code = cause.code ? ` (${cause.code})` : '';
    super(`The database can't be reached${code}: ${cause.message}. Check DATABASE_URL.`, { cause });
  }
}

/**
 * Brings the schema up to date; resolves to the names of the migrations that ran. Several instances may start at
 * once: the lock lets one after the other in, and the later ones find nothing to do.
 */
export async function migrate(url: string, createDataSource: () => DataSource): Promise<string[]> {
  const lock = new Client({
    connectionString: url,
    application_name: 'gala-migrate',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  });
  await lock.connect().catch((error: unknown) => {
    throw new DatabaseUnreachable(error as NodeJS.ErrnoException);
  });
  const dataSource = createDataSource();
  try {
    while (!(await tryLock(lock))) await sleep(LOCK_POLL_MS);
    await dataSource.initialize();
    const done = await dataSource.runMigrations();
    return done.map(({ name }) => name);
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    await lock.end();
  }
}

/** Asked again and again: for a statement that waits, an index that is built concurrently would wait in turn. */
async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
    MIGRATION_LOCK,
  ]);
  return rows[0]!.locked;
}
