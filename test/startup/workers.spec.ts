import { once } from 'node:events';
import http from 'node:http';
import { createServer } from 'node:net';
import { createEmptyDatabase } from '../support/empty-database';
import { build, freePort, type GalaProcess, WorkingDirectory } from '../support/gala-process';
import { sql } from '../support/sql';
import { until } from '../support/until';

jest.setTimeout(300_000);

const WORKERS = 2;
const READS = 60;
const TOKEN = 'a-token-for-prometheus';

let directory: WorkingDirectory;
beforeAll(build, 120_000);
beforeEach(() => (directory = new WorkingDirectory()));
afterEach(() => directory.clear());

interface Answered {
  status: number;
  text: string;
  limit: RateState;
}

interface RateState {
  remaining: number;
  reset: number;
}

/** On a connection of its own, so that any worker may get it. */
async function ask(port: number, path: string, key: string): Promise<Answered> {
  const headers = { Authorization: `Bearer ${key}` };
  const request = http.request({ port, host: '127.0.0.1', path, headers, agent: false }).end();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const text = (await response.setEncoding('utf8').toArray()).join('');
  return {
    status: response.statusCode!,
    text,
    limit: {
      remaining: Number(response.headers['x-ratelimit-remaining']),
      reset: Number(response.headers['x-ratelimit-reset']),
    },
  };
}

async function start(settings: Record<string, string> = {}) {
  const port = await freePort();
  const env = { PORT: String(port), WORKERS: String(WORKERS), ...settings };
  const gala = await directory.start(['serve'], { env }).isUp();
  return { port, gala };
}

const keyOf = (gala: GalaProcess) => /gala_live_\w+/.exec(gala.stdout)![0];
const logOf = (gala: GalaProcess) =>
  gala.stdout
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as { msg: string; worker: number; route?: string });
const startedWorkers = (gala: GalaProcess) =>
  logOf(gala)
    .filter(({ msg }) => msg === 'worker started')
    .map(({ worker }) => worker);

/** In each window every place was given once, from the first on, and nobody was refused before all were taken. */
function expectExactLimit(answers: Answered[]): void {
  const windows: Answered[][] = [];
  for (const answer of answers.toSorted((a, b) => a.limit.reset - b.limit.reset)) {
    const window = windows.at(-1);
    if (window && answer.limit.reset - window[0]!.limit.reset < 30) window.push(answer);
    else windows.push([answer]);
  }
  for (const window of windows) {
    const places = window.filter(({ status }) => status === 200).map(({ limit }) => limit.remaining);
    expect(places.sort((a, b) => b - a)).toEqual(Array.from(places, (_, index) => READS - 1 - index));
    const refused = window.filter(({ status }) => status === 429);
    expect(places.length + refused.length).toBe(window.length);
    if (refused.length) expect(places).toHaveLength(READS);
  }
}

test('workers share one port, exact limits, a database of their own, metrics and a log of whole lines', async () => {
  const { port, gala } = await start({ RATE_LIMIT_READS: String(READS), METRICS_TOKEN: TOKEN });
  const key = keyOf(gala);
  const ours = await Promise.all(Array.from({ length: READS * 3 }, () => ask(port, '/v1/me', key)));
  expectExactLimit(ours);

  const { text } = await ask(port, '/metrics', TOKEN);
  const counted = [...text.matchAll(/^gala_http_requests_total\{.*route="\/v1\/me".*\} (\d+)$/gm)];
  expect(counted.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(READS * 3);

  expect(gala.stdout.match(/Gala is ready/g)).toHaveLength(1);
  expect(gala.stdout.match(/gala_live_\w+/g)).toHaveLength(1);

  // A worker that is killed is replaced; the others go on, and what was counted stays counted.
  await until(() => gala.stdout.split('"route":"/v1/me"').length > READS * 3);
  process.kill(startedWorkers(gala)[0]!, 'SIGKILL');
  await until(() => startedWorkers(gala).length === WORKERS + 1);
  const replacement = startedWorkers(gala).at(-1);
  await until(async () => {
    // A connection may be given to the one that dies just then.
    const answer = await ask(port, '/v1/me', key).catch(() => undefined);
    if (answer) ours.push(answer);
    return logOf(gala).some(({ worker, route }) => worker === replacement && route === '/v1/me');
  });
  expectExactLimit(ours);

  const { code, stdout } = await gala.stop();
  expect(code).toBe(0);
  const lines = stdout.split('\n').filter((line) => line.includes('"route":"/v1/me"'));
  expect(lines.length).toBeGreaterThanOrEqual(READS * 3);
  const workers = new Set(lines.map((line) => (JSON.parse(line) as { worker: number }).worker));
  expect([...workers].sort()).toEqual(startedWorkers(gala).sort());
  expect(await directory.leftovers()).toEqual([]);
});

test('SIGTERM lets a request that a worker has begun with finish, and ends all processes', async () => {
  const { port, gala } = await start();
  const body = JSON.stringify({ email: 'slow@example.com' });
  const request = http.request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/v1/leads',
    headers: {
      Authorization: `Bearer ${keyOf(gala)}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      Expect: '100-continue',
    },
  });
  request.flushHeaders();
  await once(request, 'continue');
  request.write(body.slice(0, 5));
  gala.signal('SIGTERM');
  await until(() =>
    ask(port, '/health/live', '').then(
      () => false,
      () => true,
    ),
  );
  const answer = once(request, 'response') as Promise<[http.IncomingMessage]>;
  request.end(body.slice(5));
  expect((await answer)[0].statusCode).toBe(201);
  expect((await gala.finished).code).toBe(0);
  expect(await directory.leftovers()).toEqual([]);
});

test('when the primary process is killed no worker outlives it, and the next start finds everything', async () => {
  const first = await start();
  const key = keyOf(first.gala);
  first.gala.signal('SIGKILL');
  await first.gala.finished;
  const workers = startedWorkers(first.gala);
  await until(() => !directory.processes().some((pid) => workers.includes(pid)));
  const next = await start();
  expect((await ask(next.port, '/v1/me', key)).status).toBe(200);
  expect((await next.gala.stop()).code).toBe(0);
});

test('a port that is taken is told once, and ends the start', async () => {
  const database = await createEmptyDatabase();
  const taken = createServer().listen(0);
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const env = { PORT: String(port), WORKERS: '2', DATABASE_URL: database.url };
  const { code, stdout, stderr } = await directory.run(['serve'], { env });
  taken.close();
  expect(code).toBe(1);
  expect(stderr.match(/is taken by another process/g)).toHaveLength(1);
  expect(stdout).not.toContain('Gala is ready');
  expect(await sql(database.url, 'SELECT 1 FROM workspaces')).toEqual([]);
  await database.drop();
});
