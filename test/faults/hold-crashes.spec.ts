import { createSpace } from '../support/calendar';
import { createDatabase } from '../support/database';
import type { ServiceProcess } from '../support/service-process';
import { sql } from '../support/sql';
import { startGala } from '../support/start-gala';
import { FAR, place } from '../holds/support';
import { multiply } from '../holds/many-holds';
import { ENCRYPTION_KEY, Services } from './installation';
import { until } from './support';

jest.setTimeout(1_800_000);

// HOLDS=10000 KILLS=50 is the whole of it.
const HOLDS = Number(process.env.HOLDS ?? 3000);
const KILLS = Number(process.env.KILLS ?? 6);
const MINUTE_MS = 60_000;

let services: Services;
let database: Awaited<ReturnType<typeof createDatabase>>;

beforeAll(async () => {
  services = new Services();
  database = await createDatabase();
});
afterAll(async () => {
  await services.remove();
  await database.drop();
});

const startService = (): Promise<ServiceProcess> =>
  services.start({ DATABASE_URL: database.url, LOG_LEVEL: 'warn' });

/** Holds of one queue that are all due within a minute, beginning soon. */
async function dueWithinAMinute(): Promise<void> {
  const gala = await startGala({
    databaseUrl: database.url,
    configuration: { encryptionKey: ENCRYPTION_KEY },
  });
  const client = await (await gala.createWorkspace()).client();
  const { id: spaceId } = await createSpace(client);
  const expiresAt = new Date(Date.now() + 3000).toISOString();
  const hold = await place(client, { ...FAR, spaceId, expiresAt });
  await gala.stop();
  await multiply(database.url, hold.id, { count: HOLDS, laterMs: MINUTE_MS / HOLDS });
}

const count = async (from: string) =>
  (await sql<{ count: number }>(database.url, `SELECT count(*)::int FROM ${from}`))[0]!.count;

test(`${HOLDS} holds are due in a minute while two services are killed ${KILLS} times: each ends once, and is told once`, async () => {
  await dueWithinAMinute();
  const started = Date.now();
  for (let kill = 0; kill < KILLS; kill++) {
    const both = await Promise.all([startService(), startService()]);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.max(500, MINUTE_MS / KILLS)));
    await Promise.all(both.map((service) => service.kill()));
  }
  const both = await Promise.all([startService(), startService()]);
  const lastDueIn = Math.max(0, started + 3000 + MINUTE_MS - Date.now());
  await until(async () => (await count(`holds WHERE status = 'active'`)) === 0, {
    withinMs: lastDueIn + MINUTE_MS,
    everyMs: 500,
  });

  const told = (type: string) => `events WHERE type = '${type}'`;
  const holdsIn = (from: string) => `(SELECT DISTINCT data ->> 'id' FROM ${from}) AS told`;
  expect(await count(told('hold.expired'))).toBe(HOLDS);
  expect(await count(holdsIn(told('hold.expired')))).toBe(HOLDS);
  expect(await count(told('hold.expiring'))).toBe(await count(holdsIn(told('hold.expiring'))));
  // What was due carries the due time, and nothing else ended.
  const onTime = `status = 'expired' AND ended_reason = 'expired' AND ended_at = expires_at`;
  expect(await count(`holds WHERE ${onTime}`)).toBe(HOLDS);
  expect(await count(`${told('hold.expired')} AND data ->> 'endedAt' <> data ->> 'expiresAt'`)).toBe(0);
  expect(await count('hold_claims')).toBe(0);
  expect(await count(`calendar_events WHERE status = 'confirmed'`)).toBe(0);
  expect(await count(told('calendar_event.cancelled'))).toBe(HOLDS);
  for (const service of both) expect(await service.stop()).toBe(0);
});
