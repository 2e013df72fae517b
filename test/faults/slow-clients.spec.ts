import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import http from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEmptyDatabase } from '../support/empty-database';
import { Client } from '../support/http-client';
import type { ServiceProcess } from '../support/service-process';
import { prepare, Services } from './installation';
import { residentMb, until } from './support';

jest.setTimeout(300_000);

const IDLE_CONNECTIONS = 10_000;
const ATTACKERS = 1000;
/** Of the service's promise: how many times as slow as normal others may be served at p99. */
const FACTOR = 3;
const ROUNDS = 3;
const REQUESTS_EACH = 250;
/** Endless bodies are those of several: one's share of the memory would be used up before they are too large. */
const WORKSPACES = 9;

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let services: Services;
let service: ServiceProcess;
const keys: string[] = [];
beforeAll(async () => {
  if (spawnSync('slowhttptest', ['-h']).error) {
    throw new Error('These tests need slowhttptest on the PATH: apt-get install -y slowhttptest');
  }
  database = await createEmptyDatabase();
  for (let count = 0; count < WORKSPACES; count++) keys.push(await prepare(database.url));
  services = new Services();
  // One address is all of the attackers, and the others too: its own limits would end the attack before it began.
  service = await services.start({
    DATABASE_URL: database.url,
    MAX_CONNECTIONS_PER_ADDRESS: '20000',
    RATE_LIMIT_FILES: '1000000000',
  });
  await serveOthers();
});
afterAll(async () => {
  await services.remove();
  await database.drop();
});

/** Other clients' requests, each of which has to be answered as ever; resolves to their 99th percentile in ms. */
async function serveOthers(): Promise<number> {
  const client = new Client(service.baseUrl, keys[0]);
  const durations: number[] = [];
  const work = async () => {
    for (let count = 0; count < REQUESTS_EACH; count++) {
      const startedAt = performance.now();
      const { status } = count % 2 ? await client.get('/v1/leads') : await client.post('/v1/leads', lead);
      durations.push(performance.now() - startedAt);
      expect(status).toBe(count % 2 ? 200 : 201);
      await sleep(10);
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return durations.sort((one, other) => one - other)[Math.floor(durations.length * 0.99)]!;
}
const lead = { email: 'ana@example.com' };

/**
 * Compares with what is normal just before and just after, since others may be at work on this machine. What they do
 * strikes one round; what the attack does would strike every one.
 *
 * @param attack resolves to what ends it
 */
async function expectOthersUnhurt(attack: () => Promise<() => unknown>): Promise<void> {
  const rounds: { normal: number; hurt: number }[] = [];
  const ratios = () => rounds.map(({ normal, hurt }) => hurt / normal);
  while (rounds.length < ROUNDS && !ratios().some((ratio) => ratio < FACTOR)) {
    const before = await serveOthers();
    const end = await attack();
    const hurt = await serveOthers().finally(end);
    rounds.push({ hurt, normal: Math.max(before, await serveOthers()) });
  }
  const figures = rounds.map(
    ({ normal, hurt }) => `p99 ${hurt.toFixed()} ms, normally ${normal.toFixed()} ms`,
  );
  console.info(
    `${expect.getState().currentTestName}: ${figures.join('; ')}; ${residentMb(service).toFixed()} MB`,
  );
  expect(Math.min(...ratios())).toBeLessThan(FACTOR);
  expect(service.isRunning).toBe(true);
}

function openFiles(): number {
  return readdirSync(`/proc/${service.pid}/fd`).length;
}

test.each([
  ['send their headers slowly', ['-H', '-i', '5', '-u', '/v1/leads']],
  ['send their bodies slowly', ['-B', '-i', '5', '-s', '200000', '-t', 'POST', '-u', '/oauth/token']],
  ['read their answers slowly', ['-X', '-w', '1', '-y', '2', '-n', '5', '-z', '1', '-k', '5', '-u', '/docs']],
])(`${ATTACKERS} clients that %s`, async (_what, args) => {
  await expectOthersUnhurt(async () => {
    const common = ['-c', String(ATTACKERS), '-r', '500', '-l', '300', '-p', '5'];
    const url = `${service.baseUrl}${args.at(-1)}`;
    const attacking = spawn('slowhttptest', [...args.slice(0, -1), url, ...common], { stdio: 'ignore' });
    const ended = once(attacking, 'exit');
    await until(() => openFiles() > ATTACKERS, { withinMs: 30_000 });
    return async () => {
      expect(attacking.exitCode).toBeNull();
      attacking.kill('SIGKILL');
      await ended;
    };
  });
});

test(`${IDLE_CONNECTIONS} idle connections`, async () => {
  await expectOthersUnhurt(async () => {
    const idle: Socket[] = [];
    while (idle.length < IDLE_CONNECTIONS) {
      idle.push(...(await Promise.all(Array.from({ length: 250 }, openIdle))));
    }
    return async () => {
      expect(openFiles()).toBeGreaterThan(IDLE_CONNECTIONS);
      for (const socket of idle) socket.destroy();
      await until(() => openFiles() < 1000, { withinMs: 30_000 });
    };
  });
});

/** Has asked for something and keeps the connection. */
async function openIdle(): Promise<Socket> {
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET /health/live HTTP/1.1\r\nHost: idle\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

test('200 bodies that never end', async () => {
  await expectOthersUnhurt(async () => {
    const statuses: (number | undefined)[] = [];
    const endless = Array.from({ length: 200 }, (_, index) =>
      sendForever(keys[1 + (index % (WORKSPACES - 1))]!, (status) => statuses.push(status)),
    );
    await sleep(4000);
    return () => {
      for (const end of endless) end();
      expect(statuses).toEqual(Array.from({ length: 200 }, () => 400));
    };
  });
  expect(residentMb(service)).toBeLessThan(1000);
});

/** @returns what ends it */
function sendForever(key: string, onAnswer: (status?: number) => void): () => void {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const { port } = new URL(service.baseUrl);
  const request = http.request({ port, agent: false, method: 'POST', path: '/v1/leads', headers });
  request.on('error', () => undefined);
  request.on('response', (response) => onAnswer(response.resume().statusCode));
  const chunk = Buffer.alloc(16 * 1024, ' ');
  const timer = setInterval(() => request.destroyed || request.write(chunk), 200);
  return () => {
    clearInterval(timer);
    request.destroy();
  };
}
