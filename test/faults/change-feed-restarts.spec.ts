import { type Change, presentPosition, walkChanges } from '../support/change-feed';
import { Client } from '../support/http-client';
import { sql } from '../support/sql';
import { prepare, readiness, Services } from './installation';
import { Load, stopLoads } from './load';
import { PostgresServer } from './postgres-server';
import { until } from './support';

const RESTARTS = 4;

const cleanups: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  await stopLoads();
  for (const clean of cleanups.reverse()) await clean();
});

test('a client that reads the feed while PostgreSQL is stopped and killed gets each lead once', async () => {
  const server = await PostgresServer.create();
  cleanups.push(() => server.remove());
  const key = await prepare(server.url);
  const services = new Services();
  cleanups.push(() => services.remove());
  const instances = [
    await services.start({ DATABASE_URL: server.url }),
    await services.start({ DATABASE_URL: server.url }),
  ];
  const client = new Client(instances[0]!.baseUrl, key);
  const changes: Change[] = [];
  let position = await presentPosition(client);
  const readOn = async () => {
    const walked = await walkChanges(client, { after: position });
    changes.push(...walked.changes);
    position = walked.position;
  };
  const firstEpoch = await lastEpoch(server.url);

  const load = new Load(
    instances.map(({ baseUrl }) => baseUrl),
    key,
  );
  for (let restart = 1; restart <= RESTARTS; restart++) {
    const before = load.confirmed.length;
    await until(() => load.confirmed.length > before + 100, { withinMs: 60_000 });
    await readOn();
    await (restart % 2 ? server.stop() : server.kill());
    await server.start();
    for (const instance of instances) {
      await until(async () => (await readiness(instance)) === 'ok', { withinMs: 30_000 });
    }
  }
  await load.stop();
  await load.expectHonest(server.url);

  const countMissing = () => {
    const told = new Set(changes.map(({ data }) => data.email));
    return load.confirmed.filter(({ email }) => !told.has(email)).length;
  };
  await until(async () => (await readOn(), countMissing() === 0), { withinMs: 60_000 });
  expect(new Set(changes.map(({ id }) => id)).size).toBe(changes.length);
  expect(await lastEpoch(server.url)).toBe(firstEpoch + RESTARTS);
  console.info(`${changes.length} changes over ${RESTARTS} restarts`, load.tally());
});

async function lastEpoch(databaseUrl: string): Promise<number> {
  const [{ epoch }] = (await sql<{ epoch: number }>(
    databaseUrl,
    'SELECT max(epoch) AS epoch FROM event_epochs',
  )) as [{ epoch: number }];
  return epoch;
}
