import { DAY_MS } from '../../src/kernel/time-zone';
import { Database } from '../../src/platform/persistence/database';
import { createSpace } from '../support/calendar';
import type { Answer, Client } from '../support/http-client';
import type { PlanNode } from '../support/plans';
import { onConnection, sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { multiply } from './many-holds';
import { act, FAR, place } from './support';

jest.setTimeout(300_000);

/** HOLDS=100000 is the whole of it. */
const [FEW, MANY] = [100, Number(process.env.HOLDS ?? 10_000)];
const TABLES = ['calendar_events', 'calendar_occupancies', 'hold_claims', 'hold_queues', 'holds', 'spaces'];

interface Queue {
  client: Client;
  spaceId: string;
  count: number;
}

let gala: TestGala;
let few: Queue;
let many: Queue;
beforeAll(async () => {
  gala = await startGala();
  [few, many] = [await queueOf(FEW), await queueOf(MANY)];
  for (const table of TABLES) await sql(gala.databaseUrl, `VACUUM (ANALYZE) ${table}`);
});
afterAll(() => gala.stop());

async function queueOf(count: number): Promise<Queue> {
  const client = await (await gala.createWorkspace()).client();
  const { id: spaceId } = await createSpace(client);
  const hold = await place(client, { ...FAR, spaceId });
  await multiply(gala.databaseUrl, hold.id, { count });
  return { client, spaceId, count };
}

interface Sent {
  text: string;
  values?: unknown[];
}

/** The statements of a request, without those that add rows. */
async function statementsOf(request: () => Promise<Answer>): Promise<Sent[]> {
  const spy = jest.spyOn(Database.prototype, 'query');
  const { status } = await request();
  const statements = spy.mock.calls.map(([statement]) => statement as Sent);
  spy.mockRestore();
  expect([200, 201]).toContain(status);
  const ours = new RegExp(`\\b(${TABLES.join('|')})\\b`);
  return statements.filter(({ text }) => ours.test(text) && !text.includes('INSERT INTO'));
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** The rows of our tables that the statements of a request look at. */
async function rowsOf(request: () => Promise<Answer>): Promise<number> {
  const statements = await statementsOf(request);
  expect(statements.length).toBeGreaterThan(0);
  return onConnection(gala.databaseUrl, async (connection) => {
    let rows = 0;
    for (const { text, values } of statements) {
      await connection.query('BEGIN');
      const { rows: answer } = await connection.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
      await connection.query('ROLLBACK');
      for (const node of nodesOf(answer[0]['QUERY PLAN'][0].Plan as PlanNode)) {
        if (!TABLES.includes(node['Relation Name'] ?? '')) continue;
        rows += (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
      }
    }
    return rows;
  });
}

/** The period of four holds in the middle of a queue. */
function middleOf({ count }: Queue): { startsAt: string; endsAt: string } {
  const days = Math.floor(count / 8);
  const later = (at: string) => new Date(Date.parse(at) + days * DAY_MS).toISOString();
  return { startsAt: later(FAR.startsAt), endsAt: later(FAR.endsAt) };
}

function dayOf(queue: Queue): string {
  const day = middleOf(queue).startsAt.slice(0, 10);
  return `/v1/holds?status=active&from=${day}&to=${day}`;
}

async function firstOf(queue: Queue): Promise<{ id: string }> {
  const { data } = (await queue.client.get(dayOf(queue))).body;
  return data.find(({ rank }: { rank: number }) => rank === 1);
}

const requests: [string, (queue: Queue) => Promise<() => Promise<Answer>>][] = [
  ['the queue of a day', (queue) => Promise.resolve(() => queue.client.get(dayOf(queue)))],
  [
    'a hold',
    async (queue) => {
      const { id } = await firstOf(queue);
      return () => queue.client.get(`/v1/holds/${id}`);
    },
  ],
  [
    'a placement',
    (queue) => {
      const { client, spaceId } = queue;
      const fields = { title: 'Pérez', ...middleOf(queue), spaceId };
      return Promise.resolve(() => client.post('/v1/holds', fields));
    },
  ],
  [
    'a release',
    async (queue) => {
      const hold = await firstOf(queue);
      return () => act(queue.client, hold, 'release');
    },
  ],
  [
    'a confirmation',
    async (queue) => {
      const hold = await firstOf(queue);
      return () => act(queue.client, hold, 'confirm');
    },
  ],
];

test.each(requests)(
  `of ${MANY} live holds %s looks at hardly more rows than of ${FEW}`,
  async (_, prepare) => {
    const [inFew, inMany] = [await rowsOf(await prepare(few)), await rowsOf(await prepare(many))];
    expect(inFew).toBeGreaterThan(0);
    expect(inMany).toBeLessThanOrEqual(1.3 * inFew);
  },
);
