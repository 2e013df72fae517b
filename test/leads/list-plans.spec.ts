import { toUuid } from '../../src/kernel/ids';
import type { Client } from '../support/http-client';
import { addField } from '../support/fields';
import { list, type Parameters } from '../support/leads';
import { PLAN_MODES, type PlanNode, planOf, statementOf } from '../support/plans';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';

jest.setTimeout(120_000);

const OWN_ROWS = 2_000;
const ROWS_BESIDE = 30_000;
let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  const workspace = await gala.createWorkspace();
  const other = await gala.createWorkspace();
  client = await workspace.client();
  for (const [id, rows] of [
    [other.id, ROWS_BESIDE],
    [workspace.id, OWN_ROWS],
  ] as const) {
    await sql(
      gala.databaseUrl,
      `INSERT INTO leads SELECT $1, 'live', gen_random_uuid(), 'Name ' || (n % 5000), 'lead' || n || '@example.com', NULL,
         date '2027-01-01' + (n % 700), NULL, CASE WHEN n = 777 THEN 'rare' ELSE 'source ' || (n % 5) END,
         CASE WHEN n % 10 = 0 THEN 'lost' ELSE 'new_enquiry' END, ARRAY['tag ' || (n % 7), CASE WHEN n = 777 THEN 'rare' ELSE 'frequent' END],
         CASE WHEN n % 9 = 0 THEN now() END,
         timestamptz '2026-01-01' + n * interval '1 minute', timestamptz '2026-06-01' - n * interval '1 minute',
         'name ' || (n % 5000) || E'\\nlead' || n || E'@example.com\\ntag ' || (n % 7)
       FROM generate_series(1, $2::int) AS n`,
      [toUuid(id), rows],
    );
  }
  // As many counts as many workspaces have.
  await sql(
    gala.databaseUrl,
    `WITH made AS (
       INSERT INTO workspaces (id, name, time_zone, currency, created_at)
       SELECT gen_random_uuid(), 'Beside', 'UTC', 'EUR', now() FROM generate_series(1, 500) RETURNING id
     )
     INSERT INTO lead_counts SELECT id, 'live', false, 'stage ' || n, 0, 0 FROM made, generate_series(1, 8) AS n`,
  );
  await addField(client, 'room');
  await sql(
    gala.databaseUrl,
    `UPDATE leads SET custom = jsonb_build_object('room', CASE WHEN source = 'rare' THEN 'Rare' ELSE 'room ' || n % 7 END)
     FROM (SELECT id, (row_number() OVER ())::int AS n FROM leads) AS numbered
     WHERE leads.id = numbered.id AND (numbered.n % 3 = 0 OR source = 'rare')`,
  );
  await sql(gala.databaseUrl, 'VACUUM (ANALYZE) leads, lead_counts');
});
afterAll(() => gala.stop());

const FILTERS: Record<string, Parameters> = {
  none: {},
  stage: { stage: 'lost' },
  outcome: { outcome: 'open' },
  email: { email: 'LEAD7@example.com' },
  tag: { tag: 'tag 3' },
  source: { source: 'source 2' },
  eventDateFrom: { eventDateFrom: '2027-06-01' },
  eventDateTo: { eventDateTo: '2027-06-01' },
  createdAfter: { createdAfter: '2026-01-01T12:00:00Z' },
  createdBefore: { createdBefore: '2026-01-01T12:00:00Z' },
  updatedAfter: { updatedAfter: '2026-05-31T00:00:00Z' },
  'a custom field': { 'custom.room': 'room 3' },
  'q, a rare word': { q: 'lead1234' },
  'q, a frequent word': { q: 'example' },
  'q, two letters': { q: 'xa' },
  'q, many words': { q: 'lead12 name example tag 1 2' },
  'several at once': {
    stage: 'lost',
    tag: 'tag 3',
    source: 'source 2',
    q: 'lead1',
    eventDateFrom: '2027-02-01',
  },
};
const SORTS = ['createdAt', 'updatedAt', 'eventDate', 'name'].flatMap((field) => [field, `-${field}`]);

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

test.each(Object.entries(FILTERS))(
  'what is found by %s is planned for the values where they matter',
  async (name, filter) => {
    const statement = await statementOf(gala, () => list(client, filter));
    if (['none', 'stage', 'outcome'].includes(name)) expect(statement.name).toMatch(/^gala_/);
    else expect(statement.name).toBeUndefined();
  },
);

describe.each(Object.keys(FILTERS))('filter: %s', (name) => {
  const filter = FILTERS[name]!;

  test.each(['false', 'true', 'all'])(
    'with archived=%s no table is read from end to end',
    async (archived) => {
      for (const [index, sort] of SORTS.entries()) {
        const asked = { ...filter, archived, sort, limit: 1 };
        const { nextCursor } = (await list(client, asked)).body.pagination;
        const places: Parameters[] = [{}, { page: 3 }, nextCursor ? { cursor: nextCursor } : { page: 2 }];
        const place = places[index % places.length]!;
        const statement = await statementOf(gala, () => list(client, { ...asked, ...place }));
        for (const mode of PLAN_MODES) {
          const plan = await planOf(gala, statement, { mode, analyze: false });
          const scans = nodesOf(plan).filter((node) => node['Node Type'] === 'Seq Scan');
          expect({ sort, place, mode, scans }).toMatchObject({ scans: [] });
        }
      }
    },
  );
});

test.each(['none', 'stage', 'outcome'])(
  'the total of a list by %s is read from what was counted, never from leads',
  async (name) => {
    for (const archived of ['false', 'true', 'all']) {
      const asked = { ...FILTERS[name], archived };
      const statement = await statementOf(gala, () => list(client, asked));
      const plan = await planOf(gala, statement, { mode: 'force_custom_plan' });
      const rows = nodesOf(plan)
        .filter((node) => node['Relation Name'] === 'leads')
        .map((node) => node['Actual Rows']);
      expect(Math.max(...rows)).toBeLessThanOrEqual(21);
    }
  },
);

test.each<[Parameters, string]>([
  [{ email: 'LEAD777@example.com' }, 'leads_email_key'],
  [{ tag: 'RARE' }, 'leads_tag_keys'],
  [{ 'custom.room': 'RARE' }, 'leads_custom'],
  [{ source: 'RARE' }, 'leads_source_key_open'],
  [{ q: 'lead777@' }, 'leads_words'],
  [{ q: 'name lead777@ tag' }, 'leads_words'],
  [{ eventDateFrom: '2027-01-01', eventDateTo: '2027-01-02' }, 'leads_event_date_open'],
  [{ createdBefore: '2026-01-01T00:05:00Z' }, 'leads_created_at_open'],
  [{ updatedAfter: '2026-05-31T23:55:00Z' }, 'leads_updated_at_open'],
])('what few leads have is found by an index that knows it: %p', async (filter, index) => {
  const statement = await statementOf(gala, () => list(client, { ...filter, sort: 'name' }));
  const plan = await planOf(gala, statement, { mode: 'force_custom_plan' });
  const nodes = nodesOf(plan);
  expect(nodes.map((node) => node['Index Name'])).toContain(index);
  expect(Math.max(...nodes.map((node) => node['Rows Removed by Filter'] ?? 0))).toBeLessThan(50);
});

test.each<[Parameters, string]>([
  [{ q: 'lead777@' }, 'leads_words'],
  [{ tag: 'rare' }, 'leads_tag_keys'],
  [{ 'custom.room': 'rare' }, 'leads_custom'],
  [{ q: 'lead777@', archived: 'all', sort: 'name' }, 'leads_words'],
])('what is searched for is found once, for the total and the page: %p', async (filter, index) => {
  const statement = await statementOf(gala, () => list(client, filter));
  const plan = await planOf(gala, statement, { mode: 'force_custom_plan' });
  const searches = nodesOf(plan).filter((node) => node['Index Name'] === index);
  expect(searches).toHaveLength(1);
});
