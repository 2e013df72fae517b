import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { Client } from '../support/http-client';
import { sql } from '../support/sql';
import { WebhookReceiver } from '../support/webhook-receiver';
import { prepare, readiness, Services } from './installation';
import { Load, stopLoads } from './load';
import { PostgresServer, run } from './postgres-server';
import { until } from './support';

jest.setTimeout(300_000);

const cleanups: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  await stopLoads();
  for (const clean of cleanups.reverse()) await clean();
});

/** What has to be the same; the dump holds one moment of it. */
async function rowsOf(databaseUrl: string): Promise<Record<string, unknown>> {
  const tables = await sql<{ name: string }>(
    databaseUrl,
    `SELECT quote_ident(relname) AS name FROM pg_stat_user_tables ORDER BY 1`,
  );
  const counts: Record<string, unknown> = {};
  for (const { name } of tables) {
    const [row] = await sql<{ rows: number; sum: string }>(
      databaseUrl,
      `SELECT count(*)::int AS rows, coalesce(sum(hashtext(each::text)::bigint), 0)::text AS sum FROM ${name} each`,
    );
    counts[name] = row;
  }
  return counts;
}

test('a dump taken at work is restored whole, and the service goes on from it', async () => {
  const postgres = await PostgresServer.create();
  cleanups.push(() => postgres.remove());
  const key = await prepare(postgres.url);
  const services = new Services();
  cleanups.push(() => services.remove());
  const service = await services.start({ DATABASE_URL: postgres.url });

  const receiver = await WebhookReceiver.start();
  cleanups.push(() => receiver.stop());
  const webhook = { url: receiver.url, events: ['lead.archived'] };
  const { body: endpoint } = await new Client(service.baseUrl, key).post('/v1/webhooks', webhook);

  const load = new Load([service.baseUrl], key, { clients: 5 });
  await until(() => load.confirmed.length > 200, { withinMs: 60_000 });
  const before = [...load.confirmed];
  const file = join(postgres.folder, 'gala.dump');
  run('pg_dump', ['--format=custom', '--file', file, '--dbname', postgres.url]);
  await load.stop();
  await service.stop();

  await sql(postgres.urlOf('postgres'), 'CREATE DATABASE restored');
  const restoredUrl = postgres.urlOf('restored');
  run('pg_restore', ['--exit-on-error', '--no-owner', '--dbname', restoredUrl, file]);
  await load.expectHonest(postgres.url);
  const restored = await load.stored(restoredUrl);
  expect(before.filter(({ email }) => restored.get(email) !== 1)).toEqual([]);

  const again = await services.start({ DATABASE_URL: restoredUrl });
  expect(await readiness(again)).toBe('ok');
  const client = new Client(again.baseUrl, key);
  expect((await client.get('/v1/leads')).body.pagination.total).toBe(restored.size);
  const { status, body: lead } = await client.post('/v1/leads', { email: 'after@example.com' });
  expect(status).toBe(201);
  expect((await client.delete(`/v1/leads/${lead.id}`)).status).toBe(200);
  const [delivery] = await receiver.got(1);
  const headers = delivery!.headers as Record<string, string>;
  expect(new Webhook(endpoint.secret).verify(delivery!.body.toString(), headers)).toMatchObject({
    data: { id: lead.id },
  });
  await again.stop();
  const otherKey = { DATABASE_URL: restoredUrl, ENCRYPTION_KEY: Buffer.alloc(32, 8).toString('base64') };
  await expect(services.start(otherKey)).rejects.toThrow('ENCRYPTION_KEY');

  // And a dump of the dump, at rest, is the same to the byte.
  run('pg_dump', ['--format=custom', '--file', `${file}2`, '--dbname', restoredUrl]);
  await sql(postgres.urlOf('postgres'), 'CREATE DATABASE twice');
  run('pg_restore', ['--exit-on-error', '--no-owner', '--dbname', postgres.urlOf('twice'), `${file}2`]);
  expect(await rowsOf(postgres.urlOf('twice'))).toEqual(await rowsOf(restoredUrl));
});
