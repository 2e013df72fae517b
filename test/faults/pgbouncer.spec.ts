import { Client as Connection } from 'pg';
import { examine } from '../../src/cli/doctor/examine';
import { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { sql } from '../support/sql';
import { ENCRYPTION_KEY, prepare, readiness, Services } from './installation';
import { PgBouncer } from './pgbouncer';
import { PostgresServer } from './postgres-server';
import { until } from './support';

jest.setTimeout(300_000);

const LOCK_TIMEOUT_MS = 5_000;

let server: PostgresServer;
let services: Services;
let key: string;
beforeAll(async () => {
  server = await PostgresServer.create();
  key = await prepare(server.url);
  services = new Services();
});
afterAll(async () => {
  await services.remove();
  await server.remove();
});

test('through PgBouncer in session mode, timeouts hold, and broken connections end no process', async () => {
  const pooler = await PgBouncer.start(server.port, 'session');
  try {
    const service = await services.start({ DATABASE_URL: pooler.url });
    const client = new Client(service.baseUrl, key);
    const { id } = await createLead(client);

    const other = new Connection({ connectionString: server.url });
    await other.connect();
    await other.query('BEGIN; SELECT FROM leads FOR UPDATE');
    const askedAt = Date.now();
    expect((await client.patch(`/v1/leads/${id}`, { guests: 80 })).status).toBe(500);
    expect(Date.now() - askedAt).toBeGreaterThanOrEqual(LOCK_TIMEOUT_MS);
    await other.end();

    for (const broken of [
      () => pooler.restart(),
      () =>
        sql(
          server.url,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()
        AND datname = 'gala'`,
        ),
      () => pooler.restart(),
    ]) {
      await broken();
      await until(async () => (await readiness(service)) === 'ok', { withinMs: 10_000 });
      await until(async () => (await client.patch(`/v1/leads/${id}`, { guests: 90 })).status === 200, {
        withinMs: 10_000,
      });
      expect(service.isRunning).toBe(true);
    }
    const listens = `SELECT FROM pg_stat_activity WHERE application_name = 'gala-listen'`;
    await until(async () => (await sql(server.url, listens)).length > 0, { withinMs: 10_000 });
  } finally {
    await pooler.remove();
  }
});

test('PgBouncer in transaction mode is refused at the start, and the doctor says what to change', async () => {
  const pooler = await PgBouncer.start(server.port, 'transaction');
  try {
    await expect(services.start({ DATABASE_URL: pooler.url })).rejects.toThrow('pool_mode = session');
    const environment = { DATABASE_URL: pooler.url, ENCRYPTION_KEY: ENCRYPTION_KEY.toString('base64') };
    expect(await examine(environment)).toContainEqual(
      expect.objectContaining({
        check: 'database',
        status: 'problem',
        remedy: expect.stringContaining('pool_mode = session') as string,
      }),
    );
    // Nothing is left behind that other starts would wait for.
    expect(await sql(server.url, `SELECT FROM pg_locks WHERE locktype = 'advisory'`)).toEqual([]);
  } finally {
    await pooler.remove();
  }
});
