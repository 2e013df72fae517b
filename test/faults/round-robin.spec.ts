import type { Person } from '../../src/kernel/actor';
import { CreateLead } from '../../src/modules/leads';
import { assignTo, newMembers } from '../leads/assignment-support';
import { PostgresUnitOfWork } from '../../src/platform/persistence/unit-of-work';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { toUuid } from '../../src/kernel/ids';

jest.setTimeout(600_000);

/** All of them with `ROUND_ROBIN_LEADS=10000`. */
const LEADS = Number(process.env.ROUND_ROBIN_LEADS ?? 2100);
const MEMBERS = 7;
const CONNECTIONS = 32;
const INSTANCES = 4;

let instances: TestGala[];
beforeAll(async () => {
  instances = [await startGala()];
  const { databaseUrl } = instances[0]!;
  while (instances.length < INSTANCES) instances.push(await startGala({ databaseUrl }));
});
afterAll(async () => {
  for (const gala of instances.toReversed()) await gala.stop();
});

test('members who take turns differ by at most one lead, on four instances and with writes that are undone', async () => {
  const [gala] = instances as [TestGala];
  const workspace = await gala.createWorkspace();
  const ref = { workspaceId: workspace.id, mode: 'live' } as const;
  const members: Person[] = await newMembers(gala, workspace, MEMBERS);
  await assignTo(gala, workspace, 'round_robin', members);
  let begun = 0;
  const create = async (worker: number) => {
    const { app } = instances[worker % INSTANCES]!;
    const useCase = app.get(CreateLead, { strict: false });
    const unitOfWork = app.get(PostgresUnitOfWork, { strict: false });
    while (begun < LEADS) {
      const number = ++begun;
      await useCase.execute(ref, { email: 'ana@example.com' });
      if (number % 10 > 0) continue;
      const undone = unitOfWork.run(async () => {
        await useCase.execute(ref, { email: 'undone@example.com' });
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, worker) => create(worker)));

  const rows = await sql<{ leads: number }>(
    gala.databaseUrl,
    `SELECT count(*)::int AS leads FROM leads WHERE workspace_id = $1 GROUP BY owner_id`,
    [toUuid(workspace.id)],
  );
  const spread = rows.map(({ leads }) => leads);
  console.info(spread.join(', '));
  expect(spread).toHaveLength(MEMBERS);
  expect(spread.reduce((sum, leads) => sum + leads)).toBe(LEADS);
  expect(Math.max(...spread) - Math.min(...spread)).toBeLessThanOrEqual(1);
});
