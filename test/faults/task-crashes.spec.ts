import { createDatabase } from '../support/database';
import type { ServiceProcess } from '../support/service-process';
import { SmtpReceiver } from '../support/smtp-receiver';
import { sql } from '../support/sql';
import { startGala } from '../support/start-gala';
import { ownerOf } from '../workspaces/people';
import { ENCRYPTION_KEY, Services } from './installation';
import { until } from './support';

jest.setTimeout(1_800_000);

// TASKS=10000 KILLS=20 is the whole of it.
const TASKS = Number(process.env.TASKS ?? 3000);
const KILLS = Number(process.env.KILLS ?? 6);
const MINUTE_MS = 60_000;

let services: Services;
let database: Awaited<ReturnType<typeof createDatabase>>;
let receiver: SmtpReceiver;

beforeAll(async () => {
  services = new Services();
  database = await createDatabase();
  receiver = await new SmtpReceiver().start();
});
afterAll(async () => {
  await services.remove();
  await receiver.stop();
  await database.drop();
});

function startService(): Promise<ServiceProcess> {
  return services.start({ DATABASE_URL: database.url, SMTP_URL: receiver.url, LOG_LEVEL: 'warn' });
}

/** Tasks of one assignee that are all due within a minute, beginning now. */
async function dueWithinAMinute(): Promise<void> {
  const gala = await startGala({
    databaseUrl: database.url,
    configuration: { encryptionKey: ENCRYPTION_KEY },
  });
  const client = await (await gala.createWorkspace()).client();
  const { id: assigneeId } = await ownerOf(gala);
  const body = { title: 'Task 1', dueAt: new Date().toISOString(), assigneeId };
  expect((await client.post('/v1/tasks', body)).status).toBe(201);
  await gala.stop();
  await sql(
    database.url,
    `INSERT INTO tasks (workspace_id, mode, id, title, due_at, announced_from, overdue_at, is_announced, assignee_id, status,
       created_at, updated_at, revision)
     SELECT workspace_id, mode, gen_random_uuid(), 'Task ' || n, at, at, at, false, assignee_id, 'open', created_at,
       updated_at, 1
     FROM tasks, generate_series(2, $1) AS n, LATERAL (SELECT due_at + n * interval '1 minute' / $1 AS at) AS due`,
    [TASKS],
  );
}

const count = async (from: string) =>
  (await sql<{ count: number }>(database.url, `SELECT count(*)::int FROM ${from}`))[0]!.count;

test(`${TASKS} tasks fall due in a minute while services are killed ${KILLS} times: each is announced once, and mailed`, async () => {
  await dueWithinAMinute();
  const started = Date.now();
  for (let kill = 0; kill < KILLS; kill++) {
    const services = await Promise.all([startService(), startService()]);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.max(500, MINUTE_MS / KILLS)));
    await Promise.all(services.map((service) => service.kill()));
  }
  const service = await startService();
  await until(async () => (await count('tasks WHERE NOT is_announced')) === 0, {
    withinMs: Math.max(0, started + MINUTE_MS - Date.now()) + 2 * MINUTE_MS,
    everyMs: 500,
  });
  const events = `events WHERE type = 'task.due'`;
  expect(await count(events)).toBe(TASKS);
  expect(await count(`(SELECT DISTINCT data ->> 'id' FROM ${events}) AS told`)).toBe(TASKS);
  const early = `${events} AND occurred_at < (data ->> 'dueAt')::timestamptz`;
  expect(await count(early)).toBe(0);

  await until(async () => (await count('outgoing_mails')) === 0, { withinMs: 3 * MINUTE_MS, everyMs: 500 });
  expect(receiver.received.length).toBeGreaterThan(0);
  expect(await service.stop()).toBe(0);
});
