import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as PgClient } from 'pg';
import { toUuid } from '../../src/kernel/ids';
import { SendQueue } from '../../src/modules/messages/infrastructure/send-queue';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import type { Database } from '../../src/platform/persistence/database';
import type { Statement } from '../../src/platform/persistence/statement';
import { onConnection, sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { WhatsAppServer } from '../support/whatsapp-server';
import { conversation, leadWith, send } from './support';
import { connect, leadWhoWrote } from './whatsapp-support';

const BACKLOG = 20_000;
const LIMITS = { capacity: 100, perWorkspace: 20, taken: new Map() };

let whatsApp: WhatsAppServer;
let gala: TestGala;
beforeAll(async () => {
  whatsApp = await WhatsAppServer.start();
  gala = await startGala({ configuration: { whatsAppApiUrl: whatsApp.url } });
});
afterAll(async () => {
  await gala.stop();
  await whatsApp.stop();
});

/** The statement by which the queue claims. */
async function claimStatement(): Promise<Statement> {
  let claim: Statement | undefined;
  const database = {
    query(statement: Statement) {
      claim = statement;
      return Promise.resolve([]);
    },
  };
  const clock = { now: () => new Date(Date.now() + 1000) };
  await new SendQueue(database as unknown as Database, clock).claim(LIMITS);
  return claim!;
}

/** `turn` says in SQL when message `number` has its turn. Given here rather than by trigger, which takes a minute. */
async function queue(workspaceId: string, phone: string, turn: string): Promise<void> {
  await onConnection(gala.databaseUrl, async (client) => {
    await client.query('SET session_replication_role = replica');
    await client.query(
      `INSERT INTO messages (workspace_id, mode, id, direction, channel, phone, type, text, status, created_at,
         next_attempt_at)
       SELECT $1, 'live', gen_random_uuid(), 'outbound', 'whatsapp', ${phone}, 'text', 'Hello', 'queued', now(), ${turn}
       FROM generate_series(1, ${BACKLOG}) AS number`,
      [workspaceId],
    );
  });
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** Claims, says which rows of the queue that touched, and takes it back. */
async function claim(client: PgClient): Promise<{ claimed: number; touched: number; nodes: string[] }> {
  const { text, values } = await claimStatement();
  await client.query('BEGIN');
  const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values as unknown[]);
  await client.query('ROLLBACK');
  const plan = rows[0]['QUERY PLAN'][0].Plan as Plan;
  const scans = nodesOf(plan).filter((node) => node['Relation Name'] === 'messages');
  const touched = scans.map(
    (node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
  );
  return {
    claimed: plan['Actual Rows'],
    touched: touched.reduce((sum, count) => sum + count, 0),
    nodes: scans.map((node) => node['Node Type']),
  };
}

describe(`with ${3 * BACKLOG} messages queued, in three workspaces`, () => {
  beforeAll(async () => {
    const [mailing, monologue, busy] = await Promise.all(
      [1, 2, 3].map(async () => toUuid((await gala.createWorkspace()).id)),
    );
    await queue(mailing!, `'+3460' || (1000000 + number)`, 'now()');
    await queue(monologue!, `'+34600123456'`, 'CASE number WHEN 1 THEN now() END');
    await queue(busy!, `'+3461' || (1000000 + number)`, `now() + interval '1 hour'`);
  });
  afterAll(() => sql(gala.databaseUrl, 'TRUNCATE messages'));

  test.each([
    ['before PostgreSQL has looked at the table', 'SELECT', 'auto'],
    ['with fresh statistics', 'ANALYZE messages', 'force_custom_plan'],
    ['with a plan for any parameters', 'ANALYZE messages', 'force_generic_plan'],
  ])('a claim touches as much as it takes: %s', async (_, preparation, planCacheMode) => {
    await onConnection(gala.databaseUrl, async (client) => {
      await client.query(preparation);
      await client.query(`SET plan_cache_mode = ${planCacheMode}`);
      const { claimed, touched, nodes } = await claim(client);
      expect(nodes).not.toContain('Seq Scan');
      // One for each of the mailing's places, and of the monologue the first alone.
      expect(claimed).toBe(LIMITS.perWorkspace + 1);
      expect(touched).toBeLessThan(10 * claimed);
    });
  });
});

test('what is accepted at once for one number goes out one at a time, and none is left behind', async () => {
  gala.app.get(BackgroundJobs).start();
  const workspace = await gala.createWorkspace();
  const callbacks = await connect(gala, workspace);
  const client = await workspace.client('live');
  const lead = await leadWhoWrote(client, callbacks);
  let [underWay, most] = [0, 0];
  whatsApp.reply = async () => {
    most = Math.max(most, ++underWay);
    await sleep(10 * Math.random());
    underWay--;
    return 'take' as const;
  };
  const COUNT = 30;
  await Promise.all(Array.from({ length: COUNT }, (_, number) => send(client, lead.id, `Number ${number}`)));
  await whatsApp.took(COUNT);
  expect(most).toBe(1);
  const texts = (await conversation(client, lead.id)).slice(1).map(({ text }) => text);
  expect(whatsApp.taken.map(({ body }) => body.text.body).toSorted()).toEqual(texts.toSorted());
});

test('a message that fails leaves its turn to the next one', async () => {
  const workspace = await gala.createWorkspace();
  const client = await workspace.client('test');
  const lead = await leadWith(client, '+15005550003');
  const answers = [await send(client, lead.id, 'one'), await send(client, lead.id, 'two')];
  for (const { body } of answers) {
    for (let tries = 0; tries < 400; tries++) {
      if ((await client.get(`/v1/messages/${body.id}`)).body.status === 'failed') break;
      await sleep(25);
    }
    expect((await client.get(`/v1/messages/${body.id}`)).body.status).toBe('failed');
  }
});
