import { once } from 'node:events';
import { existsSync } from 'node:fs';
import http from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '../support/database';
import { build, freePort, type GalaProcess, ROOT, WorkingDirectory } from '../support/gala-process';
import { Client } from '../support/http-client';
import { sql } from '../support/sql';

jest.setTimeout(120_000);

let directory: WorkingDirectory;
beforeAll(build, 120_000);
beforeEach(() => (directory = new WorkingDirectory()));
afterEach(() => directory.clear());

/** A request that the service has begun to work on, and whose body is still on its way. */
async function beginPost(port: number, key: string, email: string) {
  const body = JSON.stringify({ email });
  const request = http.request({
    port,
    host: '127.0.0.1',
    agent: new http.Agent({ keepAlive: true }),
    method: 'POST',
    path: '/v1/leads',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      Expect: '100-continue',
    },
  });
  request.flushHeaders();
  request.on('error', () => undefined);
  const answer = once(request, 'response') as Promise<[http.IncomingMessage]>;
  answer.catch(() => undefined);
  await once(request, 'continue');
  request.write(body.slice(0, 5));
  return {
    async finish() {
      request.end(body.slice(5));
      const [response] = await answer;
      response.resume();
      await once(response, 'end');
      return response.statusCode;
    },
  };
}

async function takesConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function untilRefused(port: number): Promise<void> {
  const giveUpAt = Date.now() + 5_000;
  while (await takesConnections(port)) {
    if (Date.now() > giveUpAt) throw new Error('Still takes new connections 5 seconds after the signal.');
    await sleep(20);
  }
}

const keyOf = (gala: GalaProcess) => /gala_live_\w+/.exec(gala.stdout)![0];

test('SIGINT lets a request under way finish, takes no new ones, stops PostgreSQL and ends with 0', async () => {
  const port = await freePort();
  const gala = await directory.start(['serve'], { env: { PORT: String(port) } }).isUp();
  const idle = new Client(`http://127.0.0.1:${port}`, keyOf(gala));
  expect((await idle.get('/v1/me')).status).toBe(200);
  const slow = await beginPost(port, keyOf(gala), 'slow@example.com');

  gala.signal('SIGINT');
  await untilRefused(port);
  expect(gala.hasEnded).toBe(false);
  expect(await slow.finish()).toBe(201);
  const answeredAt = Date.now();
  expect(await gala.finished).toMatchObject({ code: 0, stderr: '' });
  // The kept-alive connections, this one's and the idle one, hold nothing up.
  expect(Date.now() - answeredAt).toBeLessThan(8_000);
  expect(await directory.leftovers()).toEqual([]);
});

describe('with a database of its own', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let key: string;
  beforeAll(async () => {
    database = await createDatabase();
    const there = new WorkingDirectory();
    const { stdout } = await there.run(['demo', '--json'], { env: { DATABASE_URL: database.url } });
    await there.clear();
    key = JSON.parse(stdout).keys.live;
  }, 60_000);
  afterAll(() => database.drop());

  async function start(port: number): Promise<GalaProcess> {
    return directory.start(['serve'], { env: { PORT: String(port), DATABASE_URL: database.url } }).isUp();
  }

  test('SIGTERM does the same, and what it answered is stored', async () => {
    const port = await freePort();
    const gala = await start(port);
    const slow = await beginPost(port, key, 'drained@example.com');
    gala.signal('SIGTERM');
    await untilRefused(port);
    expect(await slow.finish()).toBe(201);
    expect(await gala.finished).toMatchObject({ code: 0, stderr: '' });
    expect(
      await sql(database.url, `SELECT email FROM leads WHERE email = 'drained@example.com'`),
    ).toHaveLength(1);
    const open = await sql(
      database.url,
      `SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'gala%' AND datname = current_database()`,
    );
    expect(open).toEqual([]);
  });

  test('a connection on which nothing was asked yet holds nothing up', async () => {
    const port = await freePort();
    const gala = await start(port);
    // As browsers open them in advance.
    const silent = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(silent, 'connect');
    const signalledAt = Date.now();
    gala.signal('SIGTERM');
    expect((await gala.finished).code).toBe(0);
    expect(Date.now() - signalledAt).toBeLessThan(8_000);
    silent.destroy();
  });

  test('a second signal ends it at once', async () => {
    const port = await freePort();
    const gala = await start(port);
    await beginPost(port, key, 'never@example.com');
    gala.signal('SIGTERM');
    await untilRefused(port);
    const signalledAt = Date.now();
    gala.signal('SIGINT');
    expect((await gala.finished).code).toBe(1);
    expect(Date.now() - signalledAt).toBeLessThan(3_000);
  });
});

test('Ctrl-C during the first start leaves nothing running, and the next start works', async () => {
  const env = { PORT: String(await freePort()) };
  const gala = directory.start(['serve'], { env });
  while (!existsSync(`${directory.path}/data/postgres/postmaster.pid`)) await sleep(5);
  gala.signalGroup('SIGINT');
  await gala.finished;
  expect(await directory.leftovers()).toEqual([]);
  const next = await directory.start(['serve'], { env }).isUp();
  expect(next.stdout.match(/^ {2}(live|test) key/gm)).toHaveLength(2);
});

test('Ctrl-C on `npm start` stops everything', async () => {
  const blank = {
    DATABASE_URL: '',
    PUBLIC_URL: '',
    REDIS_URL: '',
    TLS_CERT_FILE: '',
    TLS_KEY_FILE: '',
    METRICS_PORT: '',
  };
  const npm = directory.spawn('npm', ['start'], {
    cwd: ROOT,
    env: {
      ...blank,
      PATH: process.env.PATH!,
      HOME: directory.path,
      npm_config_update_notifier: 'false',
      PORT: String(await freePort()),
      DATA_DIR: `${directory.path}/data`,
    },
  });
  await npm.isUp();
  const postmaster = directory.postmasterPid();
  expect(directory.processes()).toContain(postmaster);
  npm.signalGroup('SIGINT');
  await npm.finished;
  expect(await directory.leftovers()).toEqual([]);
  expect(npm.stderr).toBe('');
});
