import { toUuid } from '../../src/kernel/ids';
import type { Client } from '../support/http-client';
import { list } from '../support/leads';
import { newEmail } from '../support/people';
import { type PlanNode, planOf, statementOf } from '../support/plans';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { memberOf } from '../workspaces/people';

jest.setTimeout(120_000);

/** Every other one is archived, and of each thousand, one archived lead and another one have no owner. */
const ROWS = 200_000;
const UNOWNED = ROWS / 1000;
let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  const workspace = await gala.createWorkspace();
  client = await workspace.client();
  const { id: owner } = await memberOf(gala, workspace.id, newEmail(), 'member');
  await sql(
    gala.databaseUrl,
    `INSERT INTO leads (workspace_id, mode, id, email, stage, tags, archived_at, created_at, updated_at, search_text, owner_id)
     SELECT $1, 'live', gen_random_uuid(), 'lead' || n || '@example.com', 'new_enquiry', '{}', CASE WHEN n % 2 = 1 THEN now() END,
       timestamptz '2026-01-01' + n * interval '1 minute', now(), 'lead' || n, CASE WHEN n % 1000 > 1 THEN $2::uuid END
     FROM generate_series(1, ${ROWS}) AS n`,
    [toUuid(workspace.id), toUuid(owner)],
  );
  await sql(gala.databaseUrl, 'VACUUM (ANALYZE) leads, lead_counts');
});
afterAll(() => gala.stop());

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

test.each(
  ['false', 'true', 'all'].flatMap((archived) => ['createdAt', '-createdAt'].map((sort) => [archived, sort])),
)(
  'leads without an owner are found and counted by their own index: archived=%s, sort=%s',
  async (archived, sort) => {
    let answer: any;
    const statement = await statementOf(gala, async () => {
      answer = await list(client, { ownerId: 'none', archived: archived, sort: sort });
    });
    expect(answer.body.pagination.total).toBe(archived === 'all' ? 2 * UNOWNED : UNOWNED);
    const nodes = nodesOf(await planOf(gala, statement, { mode: 'force_custom_plan' }));
    const scans = nodes.filter((node) => node['Relation Name'] === 'leads' && node['Actual Loops'] > 0);
    expect(scans.map((node) => node['Index Name'])).toContain(
      archived === 'true' ? 'leads_unowned_archived' : 'leads_unowned_open',
    );
    for (const scan of scans) {
      expect(scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)).toBeLessThanOrEqual(2 * UNOWNED);
    }
  },
);
