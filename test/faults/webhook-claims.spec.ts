import type { Client } from 'pg';
import { toUuid } from '../../src/kernel/ids';
import { DeliveryQueue } from '../../src/modules/webhooks/infrastructure/delivery-queue';
import { EventAccess } from '../../src/modules/webhooks/application/event-access';
import { EventTypes } from '../../src/kernel/event-types';
import type { SecretBox } from '../../src/platform/encryption/secret-box';
import type { Logger } from '../../src/platform/logging/logger';
import type { JobDatabase } from '../../src/platform/persistence/job-database';
import type { Statement } from '../../src/platform/persistence/statement';
import { onConnection } from '../support/sql';
import { Installation } from './support';

const ENDPOINTS = 1000;
const DELIVERIES = 100_000;

let installation: Installation;
beforeAll(async () => {
  installation = await Installation.create();
  const workspace = toUuid(installation.workspace.id);
  await installation.sql(
    `INSERT INTO webhook_endpoints (workspace_id, mode, id, url, events, status, secret, created_at)
     SELECT $1, 'test', gen_random_uuid(), 'https://example.com/', ARRAY['*'], 'enabled', '', now()
     FROM generate_series(1, ${ENDPOINTS})`,
    [workspace],
  );
  await installation.sql(
    `INSERT INTO webhook_deliveries
       (workspace_id, mode, endpoint_id, event_id, event_type, next_attempt_at, created_at)
     SELECT workspace_id, mode, id, gen_random_uuid(), 'lead.created', now(), now()
     FROM webhook_endpoints, generate_series(1, ${DELIVERIES / ENDPOINTS})`,
  );
});
afterAll(() => installation.remove());

/** The statement by which the queue claims. */
async function claimStatement(capacity = 500): Promise<Statement> {
  let claim: Statement | undefined;
  const database = {
    query(statement: Statement) {
      claim = statement;
      return Promise.resolve([]);
    },
  };
  const clock = { now: () => new Date(Date.now() + 1000) };
  const access = new EventAccess(new EventTypes());
  const queue = new DeliveryQueue(
    database as unknown as JobDatabase,
    {} as SecretBox,
    access,
    clock,
    {} as Logger,
  );
  await queue.claim({ capacity, perEndpoint: 10, ofHeld: new Map(), fullWorkspaces: [] });
  return claim!;
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

async function explain(client: Client): Promise<{ nodes: Plan[]; milliseconds: number }> {
  const { text, values } = await claimStatement();
  const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values as unknown[]);
  const [{ Plan, 'Execution Time': milliseconds }] = rows[0]['QUERY PLAN'];
  return { nodes: nodesOf(Plan), milliseconds };
}

test.each([
  ['before PostgreSQL has looked at the tables', 'SELECT', 'auto'],
  ['with fresh statistics', 'ANALYZE', 'force_custom_plan'],
  ['with a plan for any parameters', 'ANALYZE', 'force_generic_plan'],
])(`a claim finds its way by index, ${DELIVERIES} being due: %s`, async (_, preparation, planCacheMode) => {
  await onConnection(installation.databaseUrl, async (client) => {
    await client.query(preparation);
    await client.query(`SET plan_cache_mode = ${planCacheMode}`);
    const { nodes, milliseconds } = await explain(client);
    const ofDeliveries = nodes.filter((node) => node['Relation Name'] === 'webhook_deliveries');
    console.info(
      `${Math.round(milliseconds)} ms: ${ofDeliveries.map((node) => node['Node Type']).join(', ')}`,
    );
    expect(ofDeliveries.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    const read = ofDeliveries.map((node) => node['Actual Rows'] * node['Actual Loops']);
    expect(Math.max(...read)).toBeLessThan(DELIVERIES / 10);
  });
});

test('of more endpoints with a backlog than there are places, the one that has waited longest comes first', async () => {
  await onConnection(installation.databaseUrl, async (client) => {
    const { rows } = await client.query(
      `UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at - interval '1 minute'
       WHERE id = (SELECT id FROM webhook_deliveries WHERE next_attempt_at <= now() ORDER BY id DESC LIMIT 1)
       RETURNING id`,
    );
    const { text, values } = await claimStatement(1);
    await client.query(text, values as unknown[]);
    const claimed = await client.query(
      `SELECT next_attempt_at > now() + interval '30 seconds' AS is_claimed FROM webhook_deliveries WHERE id = $1`,
      [rows[0].id],
    );
    expect(claimed.rows).toEqual([{ is_claimed: true }]);
  });
});
