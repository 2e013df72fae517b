import { createDatabase, startPostgres } from '../../src/testing/database';
import { findRequirements } from './requirements';

/** One real PostgreSQL for the whole run, with a migrated template from which each test file gets its own database. */
export default async function start(): Promise<void> {
  findRequirements();
  const postgres = await startPostgres();
  process.env.GALA_TEST_POSTGRES = postgres.url;
  Object.assign(globalThis, { galaTestPostgres: postgres });
  // Makes the template, for which no test has to wait then.
  await (await createDatabase(postgres.url)).drop();
}
