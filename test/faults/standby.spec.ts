import { setTimeout as sleep } from 'node:timers/promises';
import { presentPosition, walkChanges } from '../support/change-feed';
import { Client } from '../support/http-client';
import { sql } from '../support/sql';
import { Haproxy } from './haproxy';
import { prepare, readiness, Services } from './installation';
import { Load, stopLoads } from './load';
import { PostgresServer } from './postgres-server';
import { until } from './support';

jest.setTimeout(300_000);

const RECOVERY_MS = 5_000;
const cleanups: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  await stopLoads();
  for (const clean of cleanups.reverse()) await clean();
});

test('a synchronous standby is promoted under load: the services carry on, every confirmed lead is there, and the feed tells of it', async () => {
  const primary = await PostgresServer.create();
  cleanups.push(() => primary.remove());
  const key = await prepare(primary.url);
  const standby = await PostgresServer.standbyOf(primary, 'standby');
  cleanups.push(() => standby.remove());
  await sql(primary.url, `ALTER SYSTEM SET synchronous_standby_names = 'standby'`);
  await sql(primary.url, 'SELECT pg_reload_conf()');
  const isSynchronous = async () =>
    (await sql(primary.url, `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`)).length === 1;
  await until(isSynchronous, { withinMs: 20_000 });

  const haproxy = await Haproxy.failover([primary.port, standby.port]);
  cleanups.push(() => haproxy.stop());
  const services = new Services();
  cleanups.push(() => services.remove());
  const DATABASE_URL = `postgres://postgres@127.0.0.1:${haproxy.port}/gala`;
  const instances = [await services.start({ DATABASE_URL }), await services.start({ DATABASE_URL })];
  const start = await presentPosition(new Client(instances[0]!.baseUrl, key));
  const load = new Load(
    instances.map(({ baseUrl }) => baseUrl),
    key,
  );
  await until(() => load.confirmed.length > 200, { withinMs: 60_000 });

  await standby.stop();
  for (const instance of instances) {
    await until(async () => (await readiness(instance)) === 'writes wait for a standby', {
      withinMs: 10_000,
    });
  }
  await standby.start();
  for (const instance of instances) {
    await until(async () => (await readiness(instance)) === 'ok', { withinMs: RECOVERY_MS });
  }

  await primary.stop();
  await sleep(3000);
  for (const instance of instances) {
    expect(['database read-only', 'database unavailable']).toContain(await readiness(instance));
  }
  const before = load.confirmed.length;
  standby.promote();
  const promotedAt = Date.now();
  await until(() => load.confirmed.length > before, { withinMs: RECOVERY_MS, everyMs: 20 });
  console.info(`leads are made again ${Date.now() - promotedAt} ms after the promotion`);
  for (const instance of instances) {
    await until(async () => (await readiness(instance)) === 'ok', { withinMs: RECOVERY_MS });
  }
  await until(() => load.confirmed.length > before + 200, { withinMs: 60_000 });
  await load.stop();
  console.info('promoted', load.tally());
  expect(load.broken).toEqual([]);
  await load.expectHonest(standby.url);
  for (const { baseUrl } of instances) {
    const client = new Client(baseUrl, key);
    expect((await client.get('/v1/leads')).status).toBe(200);
    await until(
      async () => {
        const { changes } = await walkChanges(client, { after: start });
        expect(new Set(changes.map(({ id }) => id)).size).toBe(changes.length);
        const told = new Set(changes.map(({ data }) => data.email));
        return load.confirmed.every(({ email }) => told.has(email));
      },
      { withinMs: 30_000 },
    );
  }
});
