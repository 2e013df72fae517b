import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEmptyDatabase } from '../support/empty-database';
import { Client } from '../support/http-client';
import type { ServiceProcess } from '../support/service-process';
import { sql } from '../support/sql';
import { prepare, prepareKeys, prepareWorkspaces, Services } from './installation';
import { expectUnhurt } from './hostile';
import { LARGE_LINE_ITEMS } from './hostile-data';
import { Probe, type ProbeReport } from './probe';

const KEYS = 32;
const REQUESTS_AT_ONCE = 300;
const ATTACK_MS = 20_000;
const LEADS = 50_000;
const WORKSPACES = 100;
/** Of the largest size there is: they fill a page. */
const PROPOSALS = 30;

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let services: Services;
let service: ServiceProcess;
let keys: string[];
let workspaceKeys: string[];
let neighbour: string;
beforeAll(async () => {
  database = await createEmptyDatabase();
  keys = await prepareKeys(database.url, KEYS);
  workspaceKeys = await prepareWorkspaces(database.url, WORKSPACES);
  neighbour = await prepare(database.url);
  services = new Services();
  service = await services.start({ DATABASE_URL: database.url });
  await sql(
    database.url,
    `INSERT INTO leads (workspace_id, mode, id, name, email, stage, tags, created_at, updated_at, search_text)
     SELECT (SELECT workspace_id FROM api_keys ORDER BY created_at LIMIT 1), 'live', gen_random_uuid(),
       'Ana ' || repeat(md5(n::text), 5), md5(n::text) || '@example.com', 'new_enquiry', '{}', now(), now(),
       'ana ' || repeat(md5(n::text), 5)
     FROM generate_series(1, ${LEADS}) AS n`,
  );
  await fillWorkspaces();
});
afterAll(async () => {
  await services.remove();
  await database.drop();
});

/** Gives every workspace pages of proposals that are as large as pages can be. */
async function fillWorkspaces(): Promise<void> {
  const client = new Client(service.baseUrl, neighbour);
  const { body: lead } = await client.post('/v1/leads', { email: 'ana@example.com' });
  const { status } = await client.post('/v1/proposals', {
    leadId: lead.id,
    title: 'Big',
    lineItems: LARGE_LINE_ITEMS,
  });
  expect(status).toBe(201);
  const copied = (table: string, changes: string, times: number) =>
    sql(
      database.url,
      `INSERT INTO ${table} SELECT (jsonb_populate_record(template, jsonb_build_object('workspace_id', workspaces.id, ${changes}))).*
       FROM ${table} AS template, workspaces, generate_series(1, ${times}) AS n
       WHERE template.workspace_id = (SELECT workspace_id FROM api_keys ORDER BY created_at DESC LIMIT 1)
         AND workspaces.id <> template.workspace_id`,
    );
  await copied('leads', `'search_text', 'ana'`, 1);
  await copied(
    'proposals',
    `'id', gen_random_uuid(), 'number', 1000000 + n, 'public_token', gen_random_uuid()::text`,
    PROPOSALS,
  );
}

/** Of the hostile tenant's: what each of its requests is. The last key belongs to somebody who asks once in a while. */
const ATTACKS: [string, (client: Client, leadId: string) => Promise<{ status: number }>][] = [
  ['searches', (client) => client.get('/v1/leads?limit=100&q=a%20e%201&sort=name')],
  ['big pages', (client) => client.get('/v1/leads?limit=100&page=300')],
  [
    'big creates',
    (client, leadId) => client.post('/v1/proposals', { leadId, title: 'Big', lineItems: LARGE_LINE_ITEMS }),
  ],
];
const all = (client: Client, leadId: string) =>
  ATTACKS[Math.floor(Math.random() * ATTACKS.length)]![1](client, leadId);

test.each([...ATTACKS, ['all of that', all] as (typeof ATTACKS)[number]])(
  `${REQUESTS_AT_ONCE} requests at once with ${KEYS - 1} keys of one tenant: %s`,
  async (_what, ask) => {
    const clients = keys.map((key) => new Client(service.baseUrl, key));
    clients.pop();
    const { body: lead } = await clients[0]!.post('/v1/leads', { email: 'ana@example.com' });
    const statuses: Record<string, number> = {};
    const shares: ProbeReport[] = [];
    await expectUnhurt(
      service,
      neighbour,
      () => {
        const state = { isOver: false };
        const modest = new Probe(service.baseUrl, keys.at(-1)!, '127.0.0.8');
        const work = Array.from({ length: REQUESTS_AT_ONCE }, async (_, index) => {
          while (!state.isOver) {
            const { status } = await ask(clients[index % clients.length]!, lead.id as string);
            statuses[status] = (statuses[status] ?? 0) + 1;
            if (status === 429) await sleep(1000);
          }
        });
        return Promise.resolve(async () => {
          shares.push(await modest.stop());
          state.isOver = true;
          await Promise.all(work);
        });
      },
      ATTACK_MS,
    );
    console.info(
      `${JSON.stringify(statuses)}; the modest client of the same tenant: ${JSON.stringify(shares)}`,
    );
    expect(statuses).not.toHaveProperty('500');
    expect(shares.map((share) => Object.keys(share.statuses))).toEqual(shares.map(() => ['200']));
    // Whatever the other keys of its tenant ask for, it has an answer in a second or so.
    expect(Math.min(...shares.map(({ p99Ms }) => p99Ms))).toBeLessThan(2000);
  },
);

const agent = new http.Agent({ keepAlive: true, maxSockets: 400 });
afterAll(() => agent.destroy());

/** Asks and throws the answer away: to parse it would keep this process from asking in time. */
function read(key: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key}` };
    http
      .get(service.baseUrl + path, { agent, headers }, (response) => {
        response.resume().on('close', () => resolve(response.statusCode!));
      })
      .on('error', reject);
  });
}
const EMPTY_PAGE = '/v1/proposals?limit=100&page=1000';
const LARGE_PAGE = '/v1/proposals?limit=100';
const several = (count: number, key: string, path: string) =>
  Promise.all(Array.from({ length: count }, () => read(key, path)));

const LAUNDERERS: [string, () => Promise<number[]>][] = [
  [
    'one key, 40 cheap and then 60 dear ones at once',
    async () => {
      await several(40, workspaceKeys[0]!, EMPTY_PAGE);
      return several(60, workspaceKeys[0]!, LARGE_PAGE);
    },
  ],
  [
    `${WORKSPACES} workspaces, 30 cheap ones of each and then a dear one`,
    async () => {
      for (let count = 0; count < 30; count++)
        await Promise.all(workspaceKeys.map((key) => read(key, EMPTY_PAGE)));
      return Promise.all(workspaceKeys.map((key) => read(key, LARGE_PAGE)));
    },
  ],
];

test.each(LAUNDERERS)('dear requests behind cheap ones of the same route: %s', async (_what, attackOnce) => {
  const statuses: Record<string, number> = {};
  await expectUnhurt(
    service,
    neighbour,
    () => {
      const state = { isOver: false };
      const work = (async () => {
        while (!state.isOver)
          for (const status of await attackOnce()) statuses[status] = (statuses[status] ?? 0) + 1;
      })();
      return Promise.resolve(() => {
        state.isOver = true;
        return work;
      });
    },
    ATTACK_MS,
  );
  console.info(`Dear requests: ${JSON.stringify(statuses)}`);
  expect(Object.keys(statuses)).toEqual(['200']);
});
