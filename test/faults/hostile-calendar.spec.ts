import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CalendarFeeds } from '../../src/modules/calendar';
import { createEmptyDatabase } from '../support/empty-database';
import { Client } from '../support/http-client';
import type { ServiceProcess } from '../support/service-process';
import { startGala } from '../support/start-gala';
import { ownerOf } from '../workspaces/people';
import { planHolds, planLongEvents } from './hostile-data';
import { prepare, Services } from './installation';
import { Probe, type ProbeReport } from './probe';
import { median, processorSeconds, residentMb } from './support';

const ROUNDS = 3;
const SECONDS = 20;
const CLIENTS = 20;
const FLOOD = join(__dirname, 'flood.js');
const MAX_P99_MS = 250;
const MAX_MB = 400;
/** Of what is normal on a machine that is busy. */
const FACTOR = 3;

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let services: Services;
let service: ServiceProcess;
let probeKey: string;
let attackerKey: string;
let feed: string;
beforeAll(async () => {
  database = await createEmptyDatabase();
  probeKey = await prepare(database.url);
  const gala = await startGala({ databaseUrl: database.url });
  const workspace = await gala.createWorkspace('Hostile');
  attackerKey = await workspace.key('live');
  const ref = { workspaceId: workspace.id, mode: 'live' } as const;
  const token = await gala.app.get(CalendarFeeds, { strict: false }).create(ref, await ownerOf(gala));
  feed = `/v1/calendar.ics?token=${token}`;
  await gala.stop();
  await planLongEvents(database.url, workspace.id, { count: 10_000, characters: 5000 });
  await planHolds(database.url, workspace.id, { count: 1000, spacesEach: 20, spaces: 100 });
  services = new Services();
  service = await services.start({ DATABASE_URL: database.url });
});
afterAll(async () => {
  await services.remove();
  await database.drop();
});

interface Attack {
  path: string;
  headers?: Record<string, string>;
  seconds: number;
  /** What else the attacker does every second. */
  meanwhile?: () => Promise<unknown>;
}

/**
 * In a process of its own, since what reads megabytes would keep the probe from its answers. Resolves to how many answers
 * there were by status.
 */
async function attack({ path, headers, seconds, meanwhile }: Attack): Promise<Record<string, number>> {
  const options = { url: service.baseUrl + path, headers, clients: CLIENTS, seconds };
  const flood = promisify(execFile)(process.execPath, [FLOOD, JSON.stringify(options)]);
  let isOver = false;
  const changes = async () => {
    while (meanwhile && !isOver) {
      await meanwhile();
      await sleep(1000);
    }
  };
  const changing = changes();
  const { stdout } = await flood.finally(() => (isOver = true));
  await changing;
  return JSON.parse(stdout) as Record<string, number>;
}

/** What the probe sees while nobody is hostile: little, unless others are at work on this machine. */
async function normalP99Ms(): Promise<number> {
  const probe = new Probe(service.baseUrl, probeKey);
  await sleep(5000);
  return (await probe.stop()).p99Ms;
}

/** Up to three rounds, of which the best counts. On a machine that is too busy to answer in time anyhow more is allowed. */
async function expectOthersUnhurt(hostile: Attack): Promise<void> {
  const reports: (ProbeReport & { allowedMs: number })[] = [];
  const isWell = () => reports.some(({ p99Ms, allowedMs }) => p99Ms <= allowedMs);
  while (reports.length < ROUNDS && !isWell()) {
    const normal = await normalP99Ms();
    const before = processorSeconds(service);
    const probe = new Probe(service.baseUrl, probeKey);
    const statuses = await attack(hostile);
    const hurt = await probe.stop();
    const allowedMs = Math.max(MAX_P99_MS, FACTOR * Math.max(normal, await normalP99Ms()));
    const report = { ...hurt, allowedMs };
    reports.push(report);
    const figures = {
      attack: statuses,
      probe: report,
      processor: processorSeconds(service) - before,
      mb: residentMb(service),
    };
    console.info(`${expect.getState().currentTestName}: ${JSON.stringify(figures)}`);
    expect(Object.keys(report.statuses)).toEqual(['200']);
    expect(statuses['200']).toBeGreaterThan(CLIENTS);
    expect(statuses['500']).toBeUndefined();
    expect(figures.mb).toBeLessThanOrEqual(MAX_MB);
  }
  expect({ reports, isWell: isWell() }).toMatchObject({ isWell: true });
}

test('20 clients ask for a feed of 10,000 events with 5,000 characters each', () =>
  expectOthersUnhurt({ path: feed, seconds: SECONDS }));

test('and its events change all the time', async () => {
  const client = new Client(service.baseUrl, attackerKey);
  const [event] = (await client.get('/v1/calendar-events?from=2026-01-01&to=2026-12-31&limit=1')).body.data;
  let count = 0;
  await expectOthersUnhurt({
    path: feed,
    seconds: SECONDS,
    meanwhile: () => client.patch(`/v1/calendar-events/${event.id}`, { title: `Change ${count++}` }),
  });
});

const YEAR = '/v1/availability?from=2027-01-01&to=2027-12-31';

test('20 clients ask for a year of 100 spaces with 1,000 holds of 20 spaces each', () =>
  expectOthersUnhurt({ path: YEAR, headers: { Authorization: `Bearer ${attackerKey}` }, seconds: SECONDS }));

test('a year of 100 spaces costs a fraction of a second', async () => {
  const client = new Client(service.baseUrl, attackerKey);
  const costs: number[] = [];
  for (let count = 0; count < 7; count++) {
    const before = processorSeconds(service);
    expect((await client.get(YEAR)).status).toBe(200);
    costs.push(processorSeconds(service) - before);
  }
  console.info(`A year of availability: ${costs.map((seconds) => seconds.toFixed(2)).join(', ')} s of CPU`);
  expect(median(costs)).toBeLessThan(0.5);
});
