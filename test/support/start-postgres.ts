import { createDatabase, startPostgres } from '../../src/testing/database';
import { findRequirements } from './requirements';
import { sql } from './sql';
import { keepTemporaryFilesInMemory } from './temporary-files';

/** No database of a test outlives its server, so none has to survive a crash of the machine. */
const SETTINGS = ['fsync = off', 'full_page_writes = off'];

/** One real PostgreSQL for the whole run, with a migrated template from which each test file gets its own database. */
export default async function start(): Promise<void> {
  keepTemporaryFilesInMemory();
  findRequirements();
  const postgres = await startPostgres();
  process.env.GALA_TEST_POSTGRES = postgres.url;
  Object.assign(globalThis, { galaTestPostgres: postgres });
  for (const setting of SETTINGS) await sql(postgres.url, `ALTER SYSTEM SET ${setting}`);
  await sql(postgres.url, 'SELECT pg_reload_conf()');
  // Makes the template, for which no test has to wait then.
  await (await createDatabase(postgres.url)).drop();
}
