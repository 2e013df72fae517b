import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

export const TEMPLATE = 'gala_template';

/** The address of a database on the PostgreSQL of this test run. */
export function databaseUrl(name: string): string {
  const url = new URL(process.env.GALA_TEST_POSTGRES!);
  url.pathname = `/${name}`;
  return url.href;
}

/** A migrated, empty database of one's own. */
export async function createDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `gala_${randomBytes(6).toString('hex')}`;
  // Copies of one template made at once get into each other's way: one after the other, by lock.
  await onServer(async (client) => {
    await client.query('SELECT pg_advisory_lock(1)');
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  });
  return {
    url: databaseUrl(name),
    drop: () => onServer((client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

async function onServer(work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: process.env.GALA_TEST_POSTGRES });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
