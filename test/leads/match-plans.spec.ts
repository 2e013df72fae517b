import { toUuid } from '../../src/kernel/ids';
import type { WorkspaceRef } from '../../src/kernel/principal';
import { LeadMatches } from '../../src/modules/leads/application/lead-matches';
import { PLAN_MODES, type PlanNode, planOf, statementOf } from '../support/plans';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';

jest.setTimeout(120_000);

const ROWS = 30_000;
/** So many leads share one address, and as many one number. */
const SHARED = 2000;

let gala: TestGala;
let matches: LeadMatches;
let ref: WorkspaceRef;
beforeAll(async () => {
  gala = await startGala();
  matches = gala.app.get(LeadMatches, { strict: false });
  const { id } = await gala.createWorkspace();
  ref = { workspaceId: id, mode: 'live' };
  await sql(
    gala.databaseUrl,
    `INSERT INTO leads (workspace_id, mode, id, email, phone, external_id, stage, tags, archived_at, created_at, updated_at, search_text)
     SELECT $1, 'live', gen_random_uuid(), CASE WHEN n <= $3 THEN 'Shared@example.com' ELSE 'lead' || n || '@example.com' END,
       CASE WHEN n <= $3 THEN '+34600000000' WHEN n % 3 = 0 THEN '+346' || lpad(n::text, 8, '0') END,
       CASE WHEN n % 2 = 0 THEN 'crm-' || n END, 'new_enquiry', '{}', CASE WHEN n % 9 = 0 THEN now() END,
       timestamptz '2026-01-01' + n * interval '1 minute', now(), ''
     FROM generate_series(1, $2::int) AS n`,
    [toUuid(id), ROWS, SHARED],
  );
  await sql(gala.databaseUrl, 'VACUUM (ANALYZE) leads');
});
afterAll(() => gala.stop());

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

test.each(PLAN_MODES)(
  'leads are found by an index for each value, whatever their number (%s)',
  async (mode) => {
    const values = {
      externalId: ['crm-20000', 'crm-20002', 'nobody'],
      email: ['LEAD20001@example.com', 'shared@example.com', 'nobody@example.com'],
      phone: ['+34600020004', '+34600000000', '+34600000001'],
    };
    const statement = await statementOf(gala, () => matches.find(ref, values));
    const plan = await planOf(gala, statement, { mode });
    const reads = nodesOf(plan).filter((node) => node['Relation Name'] === 'leads');
    expect(reads.map((node) => node['Index Name']).sort()).toEqual([
      'leads_email_key',
      'leads_external_id',
      'leads_phone',
    ]);
    for (const {
      'Actual Rows': rows,
      'Actual Loops': loops,
      'Rows Removed by Filter': removed = 0,
    } of reads) {
      expect(loops).toBe(3);
      expect(rows).toBeLessThanOrEqual(5);
      expect(removed).toBeLessThanOrEqual(5);
    }
  },
);

test('of leads that share a value the newest are found', async () => {
  const found = await matches.find(ref, { externalId: [], email: ['shared@example.com'], phone: [] });
  expect(found).toHaveLength(11);
  const times = found.map(({ createdAt }) => createdAt.getTime());
  expect(times).toEqual(times.toSorted((one, other) => other - one));
  const newest = await sql<{ created_at: Date }>(
    gala.databaseUrl,
    `SELECT created_at FROM leads WHERE email = 'Shared@example.com' AND archived_at IS NULL ORDER BY created_at DESC LIMIT 1`,
  );
  expect(found[0]!.createdAt).toEqual(newest[0]!.created_at);
});

test('nothing is read for no values', async () => {
  await expect(matches.find(ref, { externalId: [], email: [], phone: [] })).resolves.toEqual([]);
});
