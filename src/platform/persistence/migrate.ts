import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { followCluster } from '../outbox/event-epoch';

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
 * Brings the schema up to date: runs the pending migrations of each data source in turn, and resolves to the names of those
 * that ran. Several instances may start at once: the lock lets one after the other in, and the later ones find nothing to do.
 */
export async function migrate(
  url: string,
  ...createDataSources: readonly (() => DataSource)[]
): Promise<string[]> {
  const dataSources = createDataSources.map((create) => create());
  const lock = new Client({
    connectionString: url,
    application_name: 'gala-migrate',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  });
  await lock.connect().catch((error: unknown) => {
    throw new DatabaseUnreachable(error as NodeJS.ErrnoException);
  });
  try {
    while (!(await tryLock(lock))) await sleep(LOCK_POLL_MS);
    const names: string[] = [];
    for (const dataSource of dataSources) names.push(...(await runPending(dataSource)));
    return names;
  } finally {
    await lock.end();
  }
}

async function runPending(dataSource: DataSource): Promise<string[]> {
  try {
    await dataSource.initialize();
    const done = await dataSource.runMigrations();
    await followCluster((text) => dataSource.query(text));
    return done.map(({ name }) => name);
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
  }
}

/** Asked again and again: for a statement that waits, an index that is built concurrently would wait in turn. */
async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
    MIGRATION_LOCK,
  ]);
  return rows[0]!.locked;
}
