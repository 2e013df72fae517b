import { DataSource } from 'typeorm';
import { MAX_PAGE_BYTES } from '../../src/kernel/page';
import { log } from '../activities/support';
import { draft } from '../proposals/support';
import { plan } from '../support/calendar';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { PLAN_MODES, planOf, type PlanNode, type Sent } from '../support/plans';
import { browserOf } from '../support/people';
import { onConnection } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { createTask } from '../tasks/support';

jest.setTimeout(120_000);

const ENTRIES = 5000;
const LIMIT = 100;

let gala: TestGala;
let client: Client;
let leadId: string;
let workspaceId: string;

/** One object of each kind for the lead and for another one, copied until there are thousands. */
beforeAll(async () => {
  gala = await startGala();
  const workspace = await gala.createWorkspace();
  workspaceId = workspace.id;
  client = await workspace.client('test');
  leadId = await leadWithAll('+15005550001');
  await leadWithAll('+15005550002');
  const copies: [table: string, times: string[], count: number][] = [
    ['activities', ['at', 'created_at'], ENTRIES],
    ['messages', ['created_at'], ENTRIES],
    ['tasks', ['completed_at', 'created_at'], ENTRIES],
    ['calendar_events', ['starts_at'], ENTRIES],
    ['proposals', ['sent_at', 'created_at'], ENTRIES],
  ];
  await onConnection(gala.databaseUrl, async (connection) => {
    for (const [table, times, count] of copies) {
      const { rows } = await connection.query(
        `SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 AND is_generated = 'NEVER'`,
        [table],
      );
      const value = (name: string) => {
        if (name === 'id') return 'gen_random_uuid()';
        if (name === 'number') return 'number + 10 * n';
        if (name === 'public_token') return 'NULL';
        return times.includes(name) ? `${name} - n * interval '1 minute'` : `"${name}"`;
      };
      const names: string[] = rows.map(({ name }) => name);
      await connection.query(
        `INSERT INTO ${table} (${names.map((name) => `"${name}"`).join(', ')})
         SELECT ${names.map(value).join(', ')} FROM ${table}, generate_series(1, $1::int) AS n`,
        [count],
      );
      await connection.query(`ANALYZE ${table}`);
    }
    await connection.query(
      `UPDATE tasks SET archived_at = now() WHERE id IN (SELECT id FROM tasks ORDER BY completed_at DESC LIMIT $1)`,
      [ENTRIES],
    );
    await connection.query('VACUUM ANALYZE tasks');
  });
});
afterAll(() => gala.stop());

async function leadWithAll(phone: string): Promise<string> {
  const { id } = await createLead(client, { phone, guests: 100 });
  await log(client, id, { text: '\u0001'.repeat(10_000) });
  const task = await createTask(client, { leadId: id });
  await client.post(`/v1/tasks/${task.id}/complete`);
  await client.post('/v1/messages', { leadId: id, text: '\u0001'.repeat(4000) });
  await plan(client, { leadId: id, type: 'hold' });
  const proposal = await draft(client, { leadId: id });
  await client.post(`/v1/proposals/${proposal.id}/send`);
  return id;
}

/** The statements of the parts that a request sends. */
async function statementsOf(path: string): Promise<Sent[]> {
  const { master: pool } = gala.app.get(DataSource).driver as unknown as {
    master: { query(sent: Sent): unknown };
  };
  const spy = jest.spyOn(pool, 'query');
  expect((await client.get(path)).status).toBe(200);
  const sent = spy.mock.calls.map(([statement]) => statement);
  spy.mockRestore();
  return sent.filter(({ text }) => text.includes('entry_at'));
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

const INDEXES = [
  'activities_lead',
  'calendar_events_lead_starts_at',
  'messages_lead',
  'tasks_completed_of_lead',
];

describe.each(PLAN_MODES)('with %s', (mode) => {
  test('each part reads its index, and hardly more rows than a page has, however deep the page is', async () => {
    const first = `/v1/leads/${leadId}/timeline?limit=${LIMIT}`;
    const cursor = await deepCursor();
    for (const path of [first, `${first}&cursor=${cursor}`]) {
      const statements = await statementsOf(path);
      expect(statements).toHaveLength(5);
      const used: string[] = [];
      for (const sent of statements) {
        const nodes = nodesOf(await planOf(gala, sent, { mode }));
        const scans = nodes.filter((node) => node['Index Name'] ?? node['Relation Name']);
        for (const scan of scans) {
          const rows = (scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)) * scan['Actual Loops'];
          const most = sent.text.includes('FROM proposals') ? 1000 : LIMIT + 2;
          expect({ text: sent.text, index: scan['Index Name'], rows: rows <= most ? most : rows }).toEqual({
            text: sent.text,
            index: expect.any(String),
            rows: most,
          });
        }
        used.push(...scans.map((scan) => scan['Index Name']!));
      }
      expect(used).toEqual(expect.arrayContaining(INDEXES));
    }
  });
});

test('the list of leads reads the latest entry of each lead from an index', async () => {
  const owner = await browserOf(gala, 'owner@example.com');
  const { master: pool } = gala.app.get(DataSource).driver as unknown as {
    master: { query(sent: Sent): unknown };
  };
  const spy = jest.spyOn(pool, 'query');
  expect((await owner.get(`/settings/${workspaceId}/test/leads`)).status).toBe(200);
  const sent = spy.mock.calls
    .map(([statement]) => statement)
    .filter(({ text }) => text.includes('latest_of_leads'));
  spy.mockRestore();
  expect(sent).toHaveLength(6);
  for (const statement of sent.filter(({ text }) => !text.includes('FROM proposals'))) {
    const nodes = nodesOf(await planOf(gala, statement, { mode: 'force_generic_plan' }));
    for (const scan of nodes.filter((node) => node['Relation Name'])) {
      const rows = (scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)) * scan['Actual Loops'];
      expect({ text: statement.text, isFew: rows <= 2 * LIMIT }).toEqual({
        text: statement.text,
        isFew: true,
      });
    }
  }
});

/** The cursor of a page about two thousand entries deep. */
async function deepCursor(): Promise<string> {
  let cursor = '';
  for (let page = 0; page < 20; page++) {
    const { body } = await client.get(
      `/v1/leads/${leadId}/timeline?limit=${LIMIT}${cursor && `&cursor=${cursor}`}`,
    );
    cursor = body.pagination.nextCursor;
  }
  return cursor;
}

test('a page of the largest entries stays below the limit of a page', async () => {
  const { text, body } = await client.get(`/v1/leads/${leadId}/timeline?limit=${LIMIT}`);
  expect(body.data).toHaveLength(LIMIT);
  expect(Buffer.byteLength(text)).toBeLessThan(MAX_PAGE_BYTES);
});
