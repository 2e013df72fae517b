import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../support/http-client';
import { build, freePort, isRoot, WorkingDirectory } from '../support/gala-process';
import { prepare, readiness, Services } from './installation';
import { Load, stopLoads } from './load';
import { PostgresServer } from './postgres-server';
import { until } from './support';

jest.setTimeout(300_000);

const RECOVERY_MS = 5_000;
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  await stopLoads();
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

/** Takes all space that is left. */
function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (const chunk of [1024 * 1024, 8192, 512]) {
      try {
        for (;;) writeSync(descriptor, Buffer.alloc(chunk));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  } finally {
    closeSync(descriptor);
  }
}

/** A small file system in that folder. */
function mount(folder: string, megabytes: number): void {
  if (!isRoot)
    throw new Error('This test mounts a small file system: run it as root, such as in a container.');
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  cleanups.push(() => execFileSync('umount', ['--lazy', folder]));
}

test('a disk that is full, under load', async () => {
  const disk = mkdtempSync(join(tmpdir(), 'gala-disk-'));
  cleanups.push(() => rmSync(disk, { recursive: true }));
  mount(disk, 128);
  const postgres = await PostgresServer.create({}, disk);
  cleanups.push(() => postgres.remove());
  const key = await prepare(postgres.url);
  const services = new Services();
  cleanups.push(() => services.remove());
  const service = await services.start({ DATABASE_URL: postgres.url });
  const client = new Client(service.baseUrl, key);

  const load = new Load([service.baseUrl], key);
  await until(() => load.confirmed.length > 50, { withinMs: 30_000 });
  const filler = join(disk, 'filler');
  fill(filler);
  await until(() => (load.tally()['500'] ?? 0) > 50, { withinMs: 90_000 });
  expect(await readiness(service)).toBe('database refuses writes');
  expect((await client.get('/v1/leads')).status).toBe(200);
  expect((await client.get('/health/live')).status).toBe(200);

  rmSync(filler);
  const works = async () =>
    (await client.post('/v1/leads', { email: 'back@example.com' })).status === 201 &&
    (await readiness(service)) === 'ok';
  await until(works, { withinMs: RECOVERY_MS });
  await load.stop();
  console.info('disk full', load.tally());
  expect(load.broken).toEqual([]);
  await load.expectHonest(postgres.url);
  expect(service.isRunning).toBe(true);
});

test('a full disk beneath the embedded database, which crashes meanwhile', async () => {
  build();
  const directory = new WorkingDirectory();
  cleanups.push(() => directory.clear());
  const data = join(directory.path, 'data');
  mkdirSync(data);
  mount(data, 256);
  cleanups.push(() => directory.kill());
  const port = await freePort();
  const unlimited = { RATE_LIMIT_WRITES: '1000000', RATE_LIMIT_READS: '1000000' };
  const gala = await directory
    .start(['serve'], { env: { PORT: String(port), ...unlimited, LOG_LEVEL: 'fatal' } })
    .isUp();
  const key = /gala_live_\w+/.exec(gala.stdout)![0];
  const service = { baseUrl: `http://127.0.0.1:${port}` };
  const client = new Client(service.baseUrl, key);

  const load = new Load([service.baseUrl], key);
  await until(() => load.confirmed.length > 50, { withinMs: 30_000 });
  const filler = join(data, 'filler');
  fill(filler);
  await until(() => (load.tally()['500'] ?? 0) > 50, { withinMs: 90_000 });
  process.kill(directory.postmasterPid(), 'SIGKILL');
  await sleep(5000);
  expect((await client.get('/health/live')).status).toBe(200);

  rmSync(filler);
  const freedAt = Date.now();
  await until(() => load.confirmed.some(({ startedAt }) => startedAt > freedAt), { withinMs: RECOVERY_MS });
  await until(async () => (await readiness(service)) === 'ok', { withinMs: RECOVERY_MS });
  await load.stop();
  console.info('disk full, embedded', load.tally(), `back after ${Date.now() - freedAt} ms`);
  expect(load.broken).toEqual([]);
  for (const { answer } of load.confirmed) {
    expect((await client.get(`/v1/leads/${answer!.body.id}`)).status).toBe(200);
  }
  expect(gala.hasEnded).toBe(false);
});
