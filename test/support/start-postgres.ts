import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createDataSource } from '../../ormconfig';
import { openEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres';
import { migrate } from '../../src/platform/persistence/migrate';
import { findRequirements } from './requirements';
import { databaseUrl, TEMPLATE } from './database';

/** One real PostgreSQL for the whole run, with a migrated template from which each test file gets its own database. */
export default async function startPostgres(): Promise<void> {
  findRequirements();
  const dataDirectory = await mkdtemp(join(tmpdir(), 'gala-test-'));
  const postgres = await openEmbeddedPostgres({ dataDirectory, role: 'service' });
  process.env.GALA_TEST_POSTGRES = postgres.url;
  Object.assign(globalThis, { galaTestPostgres: { postgres, dataDirectory } });

  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  // The tests of crashes run servers of their own; here nothing has to survive one.
  await client.query('ALTER ROLE CURRENT_USER SET synchronous_commit = off');
  await client.query(`CREATE DATABASE ${TEMPLATE}`);
  await client.end();
  const url = databaseUrl(TEMPLATE);
  await migrate(url, () => createDataSource({ url, poolSize: 1 }));
}
