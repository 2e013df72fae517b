import { Client } from 'pg';
import type { DataSource } from 'typeorm';

/** Any number, as long as every instance takes the same: "gala" in ASCII. */
const MIGRATION_LOCK = 0x67616c61;

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
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await dataSource.initialize();
    const done = await dataSource.runMigrations({ transaction: 'each' });
    return done.map(({ name }) => name);
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    await lock.end();
  }
}
