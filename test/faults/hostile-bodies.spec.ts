import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEmptyDatabase } from '../support/empty-database';
import type { ServiceProcess } from '../support/service-process';
import { type BodyGroup, HeldBodies } from './attacks';
import { prepare, Services } from './installation';
import { Probe } from './probe';
import { residentMb } from './support';

jest.setTimeout(300_000);

const KIB = 1024;
const FULL = 256 * KIB;
const NOTIFICATION = 3 * 1024 * KIB;
const ATTACKER = '127.0.0.2';
const OTHER = '127.0.0.8';
const SECONDS = 20;
const ROUNDS = 3;
const MAX_P99_MS = 250;
const MAX_MB = 400;

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let services: Services;
let keys: { neighbour: string; other: string };
let attacking: HeldBodies | undefined;
beforeAll(async () => {
  database = await createEmptyDatabase();
  keys = { neighbour: await prepare(database.url), other: await prepare(database.url) };
  services = new Services();
});
afterEach(() => attacking?.end());
afterAll(async () => {
  await services.remove();
  await database.drop();
});

/** Creates a lead with a body of some size; resolves to the status. */
function createLead(
  service: ServiceProcess,
  key: string,
  localAddress: string,
  padding = 0,
): Promise<string> {
  const { port } = new URL(service.baseUrl);
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const options = {
    port,
    host: '127.0.0.1',
    localAddress,
    agent: false,
    method: 'POST',
    path: '/v1/leads',
    headers,
  };
  return new Promise((resolve) => {
    http
      .request(options, (response) => resolve(String(response.resume().statusCode)))
      .on('error', ({ message }) => resolve(message))
      .end(`{"email":"ana@example.com"}${' '.repeat(padding)}`);
  });
}

async function createAllTheWhile(service: ServiceProcess, key: string, localAddress: string, padding = 0) {
  const statuses: Record<string, number> = {};
  for (const end = Date.now() + SECONDS * 1000; Date.now() < end; await sleep(200)) {
    const status = await createLead(service, key, localAddress, padding);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

/**
 * Others may be at work on this machine: of three rounds the best counts.
 *
 * @param groups what the attacker holds
 */
async function expectOthersServed(groups: BodyGroup[]): Promise<void> {
  const rounds: { p99Ms: number; memory: number }[] = [];
  const isFine = ({ p99Ms, memory }: (typeof rounds)[number]) => p99Ms <= MAX_P99_MS && memory <= MAX_MB;
  while (rounds.length < ROUNDS && !rounds.some(isFine)) {
    const service = await services.start({ DATABASE_URL: database.url });
    await createLead(service, keys.other, OTHER);
    attacking = new HeldBodies(service, groups);
    await sleep(2000);
    const probe = new Probe(service.baseUrl, keys.other);
    let memory = 0;
    const watching = setInterval(() => (memory = Math.max(memory, residentMb(service))), 250);
    const [others, neighbours] = await Promise.all([
      createAllTheWhile(service, keys.other, OTHER),
      createAllTheWhile(service, keys.neighbour, ATTACKER, 100 * KIB),
    ]);
    clearInterval(watching);
    const report = await probe.stop();
    const answers = await attacking.end();
    rounds.push({ p99Ms: report.p99Ms, memory });
    console.info(
      `${expect.getState().currentTestName}: probe p99 ${report.p99Ms.toFixed()} ms, slowest ${report.slowestMs.toFixed()} ms; ` +
        `${memory.toFixed()} MB; the attack got ${answers}`,
    );
    expect(Object.keys(report.statuses)).toEqual(['200']);
    expect(Object.keys(others)).toEqual(['201']);
    expect(Object.keys(neighbours)).toEqual(['201']);
    await service.kill();
  }
  expect(rounds.some(isFine)).toBe(true);
}

test('121 connections that send all but the last byte of 256 MiB', () =>
  expectOthersServed([
    group(85, '/channels/whatsapp/nobody', NOTIFICATION),
    group(36, '/oauth/token', FULL),
  ]));

test('sixteen addresses that fill the memory for bodies and send just enough to keep it', () =>
  expectOthersServed(
    Array.from({ length: 16 }, (_, index) => ({
      ...group(32, '/oauth/token', FULL),
      localAddress: index ? `127.0.3.${index}` : ATTACKER,
      sent: FULL - 3 * KIB * 2 * SECONDS,
      trickle: 3 * KIB,
    })),
  ));

test('300 connections whose bodies are answered early, and sent all the same', () =>
  expectOthersServed([group(300, '/v1/leads', NOTIFICATION)]));

function group(count: number, path: string, length: number): BodyGroup {
  return { count, localAddress: ATTACKER, path, length, sent: length - 1 };
}
