import { toUuid } from '../../src/kernel/ids';
import type { Client } from '../support/http-client';
import { list } from '../support/leads';
import { PLAN_MODES, type PlanNode, planOf, statementOf } from '../support/plans';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';

jest.setTimeout(60_000);

const ROWS = 20_000;
const LIMIT = 50;
let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  const workspace = await gala.createWorkspace();
  client = await workspace.client();
  const other = await gala.createWorkspace();
  // Half of the leads have no name and no day; many share theirs.
  for (const [id, rows] of [
    [workspace.id, ROWS],
    [other.id, 2000],
  ] as const) {
    await sql(
      gala.databaseUrl,
      `INSERT INTO leads SELECT $1, 'live', gen_random_uuid(),
         CASE WHEN n % 2 = 0 THEN 'Name ' || (n % 5000) END, 'lead' || n || '@example.com', NULL,
         CASE WHEN n % 2 = 0 THEN date '2027-01-01' + (n % 700) END, NULL, NULL,
         CASE WHEN n % 10 = 0 THEN 'lost' ELSE 'new_enquiry' END, '{}', NULL,
         timestamptz '2026-01-01' + n * interval '1 minute', timestamptz '2026-06-01' - n * interval '1 minute',
         'name ' || n
       FROM generate_series(1, $2::int) AS n`,
      [toUuid(id), rows],
    );
  }
  await sql(gala.databaseUrl, 'ANALYZE leads');
});
afterAll(() => gala.stop());

/** The nodes that find the page; counting the total, a node of its own, is left out. */
function nodesOfPage(plan: PlanNode): PlanNode[] {
  if (plan['Node Type'] === 'Aggregate') return [];
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOfPage)];
}

const INDEXES: Record<string, string> = {
  createdAt: 'leads_created_at',
  updatedAt: 'leads_updated_at',
  eventDate: 'leads_event_date',
  name: 'leads_name',
};
const sorts = Object.keys(INDEXES).flatMap((field) => [field, `-${field}`]);

describe.each(sorts)('sort=%s', (sort) => {
  // In the middle of those with a value, at the seam to those without, and deep among these.
  test.each([80, 200, 320])('what follows page %d is a range of the index, however deep', async (page) => {
    const { nextCursor } = (await list(client, { sort, limit: LIMIT, page })).body.pagination;
    let answer: any;
    const statement = await statementOf(gala, async () => {
      answer = await list(client, { sort, limit: LIMIT, cursor: nextCursor });
    });
    expect(answer.body.data).toHaveLength(LIMIT);
    expect(answer.body.pagination.total).toBe(ROWS);
    expect(answer.body.data).toEqual((await list(client, { sort, limit: LIMIT, page: page + 1 })).body.data);

    for (const mode of PLAN_MODES) {
      const nodes = nodesOfPage(await planOf(gala, statement, { mode }));
      const scans = nodes.filter((node) => node['Relation Name'] === 'leads' && node['Actual Loops'] > 0);
      expect(scans.length).toBeGreaterThan(0);
      for (const scan of scans) {
        expect(scan).toMatchObject({
          'Node Type': expect.stringMatching(/^Index (Only )?Scan$/),
          'Index Name': INDEXES[sort.replace('-', '')],
        });
        expect(scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)).toBeLessThanOrEqual(LIMIT + 1);
      }
      for (const node of nodes) expect(node['Actual Rows']).toBeLessThanOrEqual(2 * (LIMIT + 1));
    }
  });
});

test('a filter by stage walks an index of its own', async () => {
  const { nextCursor } = (await list(client, { stage: 'lost', limit: LIMIT, page: 20 })).body.pagination;
  const statement = await statementOf(gala, () =>
    list(client, { stage: 'lost', limit: LIMIT, cursor: nextCursor }),
  );
  const scans = nodesOfPage(await planOf(gala, statement, { mode: 'force_custom_plan' })).filter(
    (node) => node['Relation Name'] === 'leads',
  );
  for (const scan of scans)
    expect(scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)).toBeLessThanOrEqual(LIMIT + 1);
});
