import { createDatabase } from '../support/database';
import type { ServiceProcess } from '../support/service-process';
import { sql } from '../support/sql';
import { startGala } from '../support/start-gala';
import { ENCRYPTION_KEY, Services } from './installation';
import { until } from './support';

jest.setTimeout(1_800_000);

// LEADS=10000 KILLS=20 is the whole of it.
const LEADS = Number(process.env.LEADS ?? 3000);
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

function startService(): Promise<ServiceProcess> {
  return services.start({ DATABASE_URL: database.url, LOG_LEVEL: 'warn' });
}

/** Leads whose time is up within a minute, beginning now. Every third was answered at once. */
async function dueWithinAMinute(): Promise<void> {
  const gala = await startGala({
    databaseUrl: database.url,
    configuration: { encryptionKey: ENCRYPTION_KEY },
  });
  const client = await (await gala.createWorkspace()).client();
  expect(await client.patch('/v1/response-target', { minutes: 1 })).toMatchObject({ status: 200 });
  expect(await client.post('/v1/leads', { email: 'ana@example.com' })).toMatchObject({ status: 201 });
  await gala.stop();
  await sql(
    database.url,
    `INSERT INTO leads (workspace_id, mode, id, email, stage, tags, created_at, updated_at, search_text)
     SELECT workspace_id, mode, gen_random_uuid(), 'ana@example.com', stage, tags, at, at, ''
     FROM leads, generate_series(2, $1) AS n, LATERAL (SELECT created_at + n * interval '1 minute' / $1 AS at) AS due`,
    [LEADS],
  );
  await sql(
    database.url,
    `INSERT INTO activities (workspace_id, mode, lead_id, id, type, direction, text, at, author, created_at, revision)
     SELECT workspace_id, mode, id, gen_random_uuid(), 'call', 'out', 'Hi', created_at,
       '{"type":"user","id":null,"name":"Eva"}', created_at, 1
     FROM (SELECT *, row_number() OVER (ORDER BY created_at) AS n FROM leads) AS numbered WHERE n % 3 = 0`,
  );
}

const count = async (from: string) =>
  (await sql<{ count: number }>(database.url, `SELECT count(*)::int FROM ${from}`))[0]!.count;

test(`${LEADS} leads are answered or late while services are killed ${KILLS} times: each is told of once`, async () => {
  await dueWithinAMinute();
  const answered = Math.floor(LEADS / 3);
  const started = Date.now();
  for (let kill = 0; kill < KILLS; kill++) {
    const running = await Promise.all([startService(), startService()]);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.max(500, MINUTE_MS / KILLS)));
    await Promise.all(running.map((service) => service.kill()));
  }
  const service = await startService();
  const untold = 'lead_journeys WHERE responded_at IS NULL AND overdue_told_at IS NULL';
  await until(async () => (await count(untold)) + (await count('first_responses_to_tell')) === 0, {
    withinMs: Math.max(0, started + 2 * MINUTE_MS - Date.now()) + 2 * MINUTE_MS,
    everyMs: 500,
  });
  for (const [type, expected] of [
    ['lead.responded', answered],
    ['lead.response_overdue', LEADS - answered],
  ] as const) {
    const events = `events WHERE type = '${type}'`;
    expect({ type, count: await count(events) }).toEqual({ type, count: expected });
    expect(await count(`(SELECT DISTINCT data ->> 'id' FROM ${events}) AS told`)).toBe(expected);
  }
  const late = `events WHERE type = 'lead.response_overdue' AND occurred_at`;
  expect(await count(`${late} < (data ->> 'responseDueAt')::timestamptz`)).toBe(0);
  expect(await service.stop()).toBe(0);
});
