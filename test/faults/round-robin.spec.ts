import { Pool } from 'pg';
import type { Person } from '../../src/kernel/actor';
import { CreateLead } from '../../src/modules/leads';
import { assignTo, newMembers } from '../leads/assignment-support';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { toUuid } from '../../src/kernel/ids';

jest.setTimeout(600_000);

/** All of them with `ROUND_ROBIN_LEADS=10000`. */
const LEADS = Number(process.env.ROUND_ROBIN_LEADS ?? 2100);
const MEMBERS = 7;
const CONNECTIONS = 32;
const INSTANCES = 4;
const EACH = LEADS / MEMBERS;

let instances: TestGala[];
beforeAll(async () => {
  instances = [await startGala()];
  const { databaseUrl } = instances[0]!;
  while (instances.length < INSTANCES) instances.push(await startGala({ databaseUrl }));
});
afterAll(async () => {
  for (const gala of instances.toReversed()) await gala.stop();
});

test('members who take turns differ by at most one lead, on four instances and with connections that break', async () => {
  const [gala] = instances as [TestGala];
  const workspace = await gala.createWorkspace();
  const ref = { workspaceId: workspace.id, mode: 'live' } as const;
  const members: Person[] = await newMembers(gala, workspace, MEMBERS);
  await assignTo(gala, workspace, 'round_robin', members);
  const breaker = new Pool({ connectionString: gala.databaseUrl, max: 1 });
  let created = 0;
  let failed = 0;
  const create = async (worker: number) => {
    const useCase = instances[worker % INSTANCES]!.app.get(CreateLead, { strict: false });
    while (created < LEADS) {
      created++;
      await useCase.execute(ref, { email: 'ana@example.com' }).catch(() => {
        created--;
        failed++;
      });
    }
  };
  const breaking = setInterval(() => {
    const text = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
        AND application_name <> 'gala-jobs' LIMIT 2`;
    breaker.query(text).catch(() => undefined);
  }, 500);
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, worker) => create(worker)));
  clearInterval(breaking);
  await breaker.end();

  const rows = await sql<{ leads: number }>(
    gala.databaseUrl,
    `SELECT count(*)::int AS leads FROM leads WHERE workspace_id = $1 GROUP BY owner_id`,
    [toUuid(workspace.id)],
  );
  const spread = rows.map(({ leads }) => leads);
  console.info(`${created} leads, ${failed} failures: ${spread.join(', ')}`);
  expect(spread).toHaveLength(MEMBERS);
  expect(Math.max(...spread) - Math.min(...spread)).toBeLessThanOrEqual(1);
  expect(Math.max(...spread)).toBeGreaterThanOrEqual(Math.floor(EACH));
});
