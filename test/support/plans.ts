import { DataSource } from 'typeorm';
import type { Pool } from 'pg';
import { onConnection } from './sql';
import type { TestGala } from './start-gala';

export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Subplan Name'?: string;
  Plans?: PlanNode[];
}

export interface Sent {
  /** Set for prepared statements only. PostgreSQL may use one generic plan for all their values. */
  name?: string;
  text: string;
  values: unknown[];
}

export const PLAN_MODES = ['force_custom_plan', 'force_generic_plan'] as const;

/** Runs a request and returns the statement on that table that it sends. Fails unless there is exactly one. */
export async function statementOf(
  gala: TestGala,
  request: () => Promise<unknown>,
  table = 'leads',
): Promise<Sent> {
  const { master: pool } = gala.app.get(DataSource).driver as unknown as { master: Pool };
  const spy = jest.spyOn(pool, 'query');
  await request();
  const statements = spy.mock.calls.map(([statement]) => statement as unknown as Sent);
  spy.mockRestore();
  const found = statements.filter(({ text }) => new RegExp(`FROM "?${table}\\b`).test(text));
  expect(found).toHaveLength(1);
  return found[0]!;
}

/** Returns PostgreSQL's plan for a statement. With `analyze`, the statement is also executed. */
export async function planOf(
  gala: TestGala,
  { text, values }: Sent,
  { mode, analyze = true }: { mode: (typeof PLAN_MODES)[number]; analyze?: boolean },
): Promise<PlanNode> {
  return onConnection(gala.databaseUrl, async (connection) => {
    await connection.query(`SET plan_cache_mode = ${mode}`);
    await connection.query('SET TimeZone = UTC');
    await connection.query(`PREPARE page AS ${text}`);
    const literals = values.map((value) => connection.escapeLiteral(literal(value)));
    const { rows } = await connection.query(
      `EXPLAIN (ANALYZE ${analyze}, FORMAT JSON) EXECUTE page (${literals.join(', ')})`,
    );
    return rows[0]['QUERY PLAN'][0].Plan;
  });
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map((item) => JSON.stringify(item)).join(',')}}`;
  return value instanceof Date ? value.toISOString() : String(value);
}
