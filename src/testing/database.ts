import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrations } from '../../migrations';
import { loadConfiguration } from '../platform/config/load-configuration';
import { openEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres';
import type { Feature } from '../platform/feature';
import { openDatabase } from '../service/open-database';

/** A PostgreSQL for tests, whose user may create databases. */
export interface TestPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Held while a template is made or copied: "tmpl" in ASCII. */
const TEMPLATE_LOCK = 0x746d706c;

/** Starts an embedded PostgreSQL in a temporary directory. `stop` also removes the directory. */
export async function startPostgres(): Promise<TestPostgres> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'gala-test-'));
  const postgres = await openEmbeddedPostgres({ dataDirectory, role: 'service' });
  // Nothing has to survive a crash.
  await onServer(postgres.url, (client) =>
    client.query('ALTER ROLE CURRENT_USER SET synchronous_commit = off'),
  );
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop();
      await rm(dataDirectory, { recursive: true });
    },
  };
}

let shared: { users: number; starting: Promise<TestPostgres> } | undefined;

/**
 * The server in `GALA_TEST_POSTGRES`, or one that everybody in this process shares. It stops when its last user stops it,
 * so that no test runner waits for it.
 */
export async function sharePostgres(): Promise<TestPostgres> {
  const url = process.env.GALA_TEST_POSTGRES;
  if (url) return { url, stop: () => Promise.resolve() };
  const current = (shared ??= { users: 0, starting: startPostgres() });
  current.users++;
  const leave = () => {
    if (--current.users > 0) return false;
    if (shared === current) shared = undefined;
    return true;
  };
  try {
    const postgres = await current.starting;
    return {
      url: postgres.url,
      async stop() {
        if (leave()) await postgres.stop();
      },
    };
  } catch (error) {
    leave();
    throw error;
  }
}

/**
 * Creates a migrated database without rows. It is copied from a template that the first caller with these migrations
 * makes, which takes a tenth of the time that migrations take.
 */
export async function createDatabase(server: string, extensions: Feature[] = []): Promise<TestDatabase> {
  const name = `gala_test_${randomBytes(6).toString('hex')}`;
  const template = templateFor(extensions);
  await onServer(server, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rows } = await client.query('SELECT FROM pg_database WHERE datname = $1', [template]);
    if (rows.length === 0) await makeTemplate(client, server, template, extensions);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  });
  return {
    url: databaseUrl(server, name),
    drop: () => onServer(server, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

/** The address of another database on that server. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Named by the migrations' code, since a server in `GALA_TEST_POSTGRES` keeps templates while migrations are being written. */
function templateFor(extensions: Feature[]): string {
  const all = [...migrations, ...extensions.flatMap((extension) => extension.migrations ?? [])];
  const hash = createHash('sha256').update(all.map(String).join('\n'));
  return `gala_template_${hash.digest('hex').slice(0, 12)}`;
}

/** Takes the template's name only once it is complete. */
async function makeTemplate(
  client: Client,
  server: string,
  template: string,
  extensions: Feature[],
): Promise<void> {
  const unfinished = `${template}_unfinished`;
  await client.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${unfinished}`);
  const configuration = loadConfiguration({ DATABASE_URL: databaseUrl(server, unfinished) });
  const database = await openDatabase(configuration, { role: 'command', extensions });
  await database.close();
  await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
}

async function onServer(server: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
