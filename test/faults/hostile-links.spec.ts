import { setTimeout as sleep } from 'node:timers/promises';
import { createEmptyDatabase } from '../support/empty-database';
import { Client } from '../support/http-client';
import { sql } from '../support/sql';
import { pathOf, sent, visitor } from '../proposals/support';
import { prepare, Services } from './installation';
import { Probe } from './probe';
import { residentMb } from './support';

jest.setTimeout(300_000);

const VISITS = 400;
const WAVE = 4;
/** All of them in 14 s. */
const PAUSE_MS = 140;
const ROUNDS = 3;
const MAX_P99_MS = 250;
const MAX_MB = 400;

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let services: Services;
beforeAll(async () => {
  database = await createEmptyDatabase();
  services = new Services();
});
afterAll(async () => {
  await services.remove();
  await database.drop();
});

test('whoever has a link makes few events and rows of it, by whatever cookies and browsers', async () => {
  const keys = { target: await prepare(database.url), other: await prepare(database.url) };
  const service = await services.start({ DATABASE_URL: database.url, RATE_LIMIT_PAGES: '1000000' });
  const client = new Client(service.baseUrl, keys.target);
  await client.post('/v1/webhooks', { url: 'https://127.0.0.1:9/', events: ['*'] });
  const reports: { p99Ms: number; memory: number }[] = [];
  const isFine = ({ p99Ms, memory }: (typeof reports)[number]) => p99Ms <= MAX_P99_MS && memory <= MAX_MB;
  while (reports.length < ROUNDS && !reports.some(isFine)) {
    const offer = await sent(client);
    const probe = new Probe(service.baseUrl, keys.other);
    const statuses = new Set<number>();
    for (let wave = 0; wave < VISITS / WAVE; wave++, await sleep(PAUSE_MS)) {
      const visits = Array.from({ length: WAVE }, () => visitor(service.baseUrl).get(pathOf(offer)));
      for (const { status } of await Promise.all(visits)) statuses.add(status);
    }
    const report = await probe.stop();
    reports.push({ p99Ms: report.p99Ms, memory: residentMb(service) });
    console.info(`probe p99 ${report.p99Ms.toFixed()} ms, slowest ${report.slowestMs.toFixed()} ms`);
    expect(Object.keys(report.statuses)).toEqual(['200']);
    expect([...statuses]).toEqual([200]);
    const count = (table: string, condition: string) =>
      sql<{ count: string }>(database.url, `SELECT count(*) FROM ${table} WHERE ${condition}`, [
        pathOf(offer).split('/')[2],
      ]).then(([row]) => Number(row!.count));
    const ofProposal = `proposal_id = (SELECT id FROM proposals WHERE public_token = $1)`;
    expect(await count('proposal_visitors', ofProposal)).toBeLessThanOrEqual(100);
    expect(
      await count('events', `type = 'proposal.viewed' AND data::text LIKE '%' || $1 || '%'`),
    ).toBeLessThanOrEqual(50);
    const refused = await Promise.all(
      Array.from({ length: 5 }, () => visitor(service.baseUrl).get('/proposals/x')),
    );
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  }
  expect(reports.some(isFine)).toBe(true);
});
