import { Database } from '../../src/platform/persistence/database';
import { sent } from '../proposals/support';
import { createLead } from '../support/leads';
import type { PlanNode } from '../support/plans';
import { browserOf } from '../support/people';
import { onConnection } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';

jest.setTimeout(300_000);

/** ROWS=1000000 is the whole of it. */
const ROWS = Number(process.env.ROWS ?? 10_000);
const TABLES = ['leads', 'proposals', 'lead_journeys', 'webhook_endpoints', 'api_keys', 'lead_counts'];
/** A day counts 200 leads at most, and other numbers are of 2,000 rows. */
const MOST_READ = 30 * 200;

let gala: TestGala;
let path: string;
/** Leads of forty days, of which each is open, won or lost, and has an open proposal. */
beforeAll(async () => {
  gala = await startGala();
  const workspace = await gala.createWorkspace();
  path = `/settings/${workspace.id}`;
  const client = await workspace.client('live');
  await sent(client);
  await createLead(client);
  await onConnection(gala.databaseUrl, async (connection) => {
    const copy = async (table: string, values: Record<string, string>) => {
      const { rows } = await connection.query(
        `SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 AND is_generated = 'NEVER'`,
        [table],
      );
      const names: string[] = rows.map(({ name }) => name);
      await connection.query(
        `INSERT INTO ${table} (${names.join(', ')}) SELECT ${names.map((name) => values[name] ?? name).join(', ')}
         FROM (SELECT * FROM ${table} LIMIT 1) AS first, generate_series(1, $1::int) AS n`,
        [ROWS],
      );
      await connection.query(`VACUUM ANALYZE ${table}`);
    };
    const age = `now() - n % 40 * interval '1 day'`;
    const stage = `(ARRAY['new_enquiry', 'confirmed', 'lost'])[1 + n % 3]`;
    await copy('leads', { id: 'gen_random_uuid()', created_at: age, stage });
    await copy('proposals', {
      id: 'gen_random_uuid()',
      number: 'number + n',
      public_token: 'NULL',
      valid_until: `current_date + n % 90`,
    });
    await connection.query(
      `UPDATE lead_journeys SET won_at = CASE outcome WHEN 'won' THEN created_at END,
         lost_at = CASE outcome WHEN 'lost' THEN created_at END`,
    );
    await connection.query('VACUUM ANALYZE lead_journeys');
  });
});
afterAll(() => gala.stop());

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

test(`of ${ROWS} leads and open proposals, the first page reads no more rows than it says`, async () => {
  const owner = await browserOf(gala, 'owner@example.com');
  const spy = jest.spyOn(Database.prototype, 'query');
  expect((await owner.get(path)).status).toBe(200);
  const ours = new RegExp(`\\b(${TABLES.join('|')})\\b`);
  const statements = spy.mock.calls
    .map(([statement]) => statement as { text: string; values?: unknown[] })
    .filter(({ text }) => ours.test(text));
  spy.mockRestore();
  expect(statements.length).toBeGreaterThan(5);
  await onConnection(gala.databaseUrl, async (connection) => {
    for (const { text, values } of statements) {
      const { rows } = await connection.query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`, values);
      const [{ Plan: plan, 'Execution Time': ms }] = rows[0]['QUERY PLAN'];
      const read = nodesOf(plan as PlanNode)
        .filter((node) => TABLES.includes(node['Relation Name'] ?? ''))
        .reduce(
          (sum, node) =>
            sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
          0,
        );
      if (process.env.ROWS) process.stdout.write(`${ms} ms, ${read} rows: ${text.slice(0, 100)}\n`);
      expect({ text, isBounded: read <= MOST_READ }).toEqual({ text, isBounded: true });
    }
  });
});
