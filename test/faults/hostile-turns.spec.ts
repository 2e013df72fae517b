import { setTimeout as sleep } from 'node:timers/promises';
import { createEmptyDatabase } from '../support/empty-database';
import { Client } from '../support/http-client';
import type { ServiceProcess } from '../support/service-process';
import { sql } from '../support/sql';
import { prepare, prepareKeys, Services } from './installation';
import { expectUnhurt } from './hostile';
import { Probe, type ProbeReport } from './probe';

const KEYS = 32;
const REQUESTS_AT_ONCE = 300;
const ATTACK_MS = 20_000;
const LEADS = 50_000;

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let services: Services;
let service: ServiceProcess;
let keys: string[];
let neighbour: string;
beforeAll(async () => {
  database = await createEmptyDatabase();
  keys = await prepareKeys(database.url, KEYS);
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
});
afterAll(async () => {
  await services.remove();
  await database.drop();
});

const lineItems = Array.from({ length: 100 }, () => ({
  description: '€'.repeat(500),
  unit: 'flat',
  unitAmount: 1,
}));

/** Of the hostile tenant's: what each of its requests is. The last key belongs to somebody who asks once in a while. */
const ATTACKS: [string, (client: Client, leadId: string) => Promise<{ status: number }>][] = [
  ['searches', (client) => client.get('/v1/leads?limit=100&q=a%20e%201&sort=name')],
  ['big pages', (client) => client.get('/v1/leads?limit=100&page=300')],
  ['big creates', (client, leadId) => client.post('/v1/proposals', { leadId, title: 'Big', lineItems })],
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
