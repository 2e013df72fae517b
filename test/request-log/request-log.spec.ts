import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { newId, toUuid, type WorkspaceId } from '../../src/kernel/ids';
import { RequestLogWriter } from '../../src/modules/request-log/infrastructure/request-log-writer';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import { Database } from '../../src/platform/persistence/database';
import { newApp } from '../oauth/support';
import { createDatabase } from '../support/database';
import { Client } from '../support/http-client';
import type { PageClient } from '../support/page-client';
import { browserOf } from '../support/people';
import { onConnection, sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { idOf, logPath, shown, storedAfter } from './support';

let gala: TestGala;
let workspace: TestWorkspace;
let browser: PageClient;
beforeAll(async () => {
  gala = await startGala();
  browser = await browserOf(gala, 'owner@example.com');
});
afterAll(() => gala.stop());
beforeEach(async () => {
  await sql(gala.databaseUrl, 'DELETE FROM request_log');
  workspace = await gala.createWorkspace();
});

const show = (path: string) => shown(browser, path);

test('a request shows up with what was asked, how it ended, how long it took, and who asked when', async () => {
  const client = await workspace.client('test');
  const { id } = (await client.post('/v1/leads', { email: 'ana@example.com' })).body;
  const answer = await client.get(`/v1/leads/${id}`);
  const credential = (await client.get('/v1/me')).body.credential.id;
  await storedAfter(gala, idOf(answer));
  const { rows, text } = await show(logPath(workspace.id, 'test'));
  expect(rows).toContainEqual([
    `GET /v1/leads/${id} ${idOf(answer)}`,
    '200',
    expect.stringMatching(/^\d+(\.\d)? ms$/),
    'Test key',
    expect.stringMatching(/^\d+ \w+( \d{4})?, \d\d:\d\d:\d\d$/),
  ]);
  expect(text).toContain(`/settings/${workspace.id}/test/api-keys/${credential}"`);
  expect((await show(logPath(workspace.id))).text).toContain('No live requests yet');
});

test('refusals of a known key are there with the code of their error', async () => {
  const few = await workspace.client('live', ['leads:read']);
  const all = await workspace.client('live');
  const missing = newId('lead');
  const cases: [Client, string, string, unknown, string, string][] = [
    [few, 'POST', '/v1/leads', {}, '403forbidden', '/v1/leads'],
    [all, 'POST', '/v1/leads', {}, '422validation_error', '/v1/leads'],
    [all, 'POST', '/v1/leads', '{', '400bad_request', '/v1/leads'],
    [all, 'GET', `/v1/leads/${missing}`, undefined, '404not_found', `/v1/leads/${missing}`],
    [all, 'GET', '/v1/leads/ana@example.com', undefined, '404not_found', '/v1/leads/:id'],
    [all, 'GET', '/v1/laeds', undefined, '404not_found', '/v1/laeds'],
    [all, 'HEAD', '/v1/leads', undefined, '200', '/v1/leads'],
  ];
  for (const [client, method, path, body, outcome, told] of cases) {
    const answer = await client.request(method, path, body);
    await storedAfter(gala, idOf(answer));
    const [[request, status]] = (await show(`${logPath(workspace.id)}?requestId=${idOf(answer)}`)).rows as [
      string[],
    ];
    expect([request, status!.replace(' ', '')]).toEqual([`${method} ${told} ${idOf(answer)}`, outcome]);
  }
});

test('too many requests and faults of ours, too', async () => {
  const limited = await startGala({ configuration: { rateLimits: { reads: 1, writes: 1, address: 100 } } });
  const client = await (await limited.createWorkspace()).client();
  await client.get('/v1/me');
  const refused = await client.get('/v1/me');
  const stored = await storedAfter(limited, idOf(refused));
  expect(stored.map(({ status, failed }) => [status, failed])).toEqual([
    [200, false],
    [429, true],
  ]);
  await limited.stop();
  await sql(gala.databaseUrl, 'ALTER TABLE leads RENAME TO leads_away');
  const broken = await (await workspace.client()).get('/v1/leads');
  await sql(gala.databaseUrl, 'ALTER TABLE leads_away RENAME TO leads');
  expect((await storedAfter(gala, idOf(broken)))[0]).toMatchObject({ status: 500, failed: true });
});

test('what an app does bears its name', async () => {
  const app = await newApp(gala, { scopes: ['leads:read'] });
  const answer = await app.as(await app.install({ scope: 'leads:read' })).get('/v1/leads');
  await storedAfter(gala, idOf(answer));
  const { rows } = await shown(app.owner.browser, logPath(app.owner.workspaceId));
  expect(rows.map(([, , , by]) => by)).toContain('App Seating Planner');
});

test('of a client that goes away before its answer it says so', async () => {
  const client = await workspace.client();
  const leaving = new AbortController();
  await onConnection(gala.databaseUrl, async (connection) => {
    await connection.query('BEGIN; LOCK TABLE leads');
    const headers = { Authorization: `Bearer ${client.key}`, 'X-Request-Id': 'gone' };
    const left = fetch(`${gala.baseUrl}/v1/leads`, { headers, signal: leaving.signal }).catch(String);
    const isWaiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'leads'::regclass`;
    while ((await connection.query(isWaiting)).rowCount === 0) await sleep(10);
    leaving.abort();
    expect(await left).toContain('AbortError');
    expect(await storedAfter(gala, 'gone')).toEqual([
      expect.objectContaining({ request_id: 'gone', status: null, failed: true }),
    ]);
    await connection.query('ROLLBACK');
  });
  expect((await show(`${logPath(workspace.id)}?outcome=failed`)).rows).toEqual([
    expect.arrayContaining(['GET /v1/leads gone', 'Client disconnected']),
  ]);
});

test('requests that no workspace’s credential came with are nowhere', async () => {
  const client = await workspace.client();
  await gala.anonymous.get('/v1/leads');
  await new Client(gala.baseUrl, `${client.key}x`).get('/v1/leads');
  await gala.anonymous.get('/health/live');
  await browser.get(logPath(workspace.id));
  const last = await client.get('/v1/me');
  expect((await storedAfter(gala, idOf(last))).map(({ request_id: id }) => id)).toEqual([idOf(last)]);
});

test('nobody else sees it: another workspace, another mode, and lines found by their id', async () => {
  const answer = await (await workspace.client()).get('/v1/me', { headers: { 'X-Request-Id': 'ours' } });
  expect(answer.status).toBe(200);
  await storedAfter(gala, 'ours');
  const other = await gala.createWorkspace();
  for (const path of [logPath(other.id), logPath(workspace.id, 'test')]) {
    expect((await show(path)).rows).toEqual([]);
    expect((await show(`${path}?requestId=ours`)).rows).toEqual([]);
  }
  const stranger = await browserOf(gala, 'stranger@example.com');
  expect((await stranger.get(logPath(workspace.id))).status).toBe(404);
});

test('nothing of a body, a query, a header or a path that isn’t an id is kept, whatever it is', async () => {
  const client = await workspace.client();
  const secret = 'Zanzibar77';
  const headers = { 'User-Agent': secret, Referer: secret, Cookie: secret, 'X-Forwarded-For': '203.0.113.9' };
  await client.post('/v1/leads', { email: `${secret}@example.com`, name: secret }, { headers });
  await client.get(`/v1/leads?q=${secret}&email=${secret}@example.com`);
  await client.get(`/v1/leads/${secret}?${secret}=${secret}`);
  await client.get(`/v1/${secret}/x?access_token=${client.key}`);
  await client.get(`/v1/${client.key}`);
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(text, text, async (segment, value) => {
      const told = encodeURIComponent(`${secret}${segment.toWellFormed()}`);
      const asked = `?q=${encodeURIComponent(secret + value.toWellFormed())}`;
      for (const path of ['/v1/leads/', '/v1/unknown/']) await client.get(path + told + asked);
    }),
    { numRuns: 20 },
  );
  const last = await client.get('/v1/me', { headers: { 'X-Request-Id': `${secret} is no id` } });
  const stored = await storedAfter(gala, idOf(last));
  expect(stored.length).toBe(46);
  const all = JSON.stringify(stored);
  for (const hidden of [
    secret,
    secret.toLowerCase(),
    client.key!,
    client.key!.slice(-12),
    '203.0.113.9',
    '127.0.0.1',
  ]) {
    expect(all.includes(hidden) ? `It holds ${hidden}` : 'hidden').toBe('hidden');
  }
  expect(all).not.toContain('?');
});

describe('the page', () => {
  /** So many lines, two every second, every third of them failed; the last is the newest. */
  async function fill(id: WorkspaceId, count: number): Promise<string[]> {
    await sql(
      gala.databaseUrl,
      `INSERT INTO request_log (workspace_id, mode, occurred_at, id, request_id, method, path, status, duration_ms, credential_id,
                                credential_name)
       SELECT $1, 'live', timestamptz '2026-11-01' + n / 2 * interval '1 second', gen_random_uuid(), 'line-' || n, 'GET',
              '/v1/me', CASE WHEN n % 3 = 0 THEN 404 ELSE 200 END, 1.5, 'key_1', 'Website form'
       FROM generate_series(1, $2::int) AS n`,
      [toUuid(id), count],
    );
    return Array.from({ length: count }, (_, index) => `line-${index + 1}`);
  }
  /** The request ids on all pages, as one walks through them. */
  async function walk(path: string): Promise<string[][]> {
    const pages: string[][] = [];
    for (let next: string | undefined = path; next;) {
      const { rows, older }: Awaited<ReturnType<typeof show>> = await show(next);
      pages.push(rows.map(([request]) => request!.split(' ').at(-1)!));
      next = older;
    }
    return pages;
  }

  test('walks from the newest to the oldest, skips and repeats nothing while others write', async () => {
    const ids = await fill(workspace.id, 120);
    const client = await workspace.client();
    const { rows, older } = await show(logPath(workspace.id));
    expect(rows).toHaveLength(50);
    await storedAfter(gala, idOf(await client.get('/v1/me')));
    const rest = await walk(older!);
    expect(rest.map(({ length }) => length)).toEqual([50, 20]);
    const seen = [...rows.map(([request]) => request!.split(' ').at(-1)!), ...rest.flat()];
    expect([...seen].sort()).toEqual([...ids].sort());
    const times = seen.map((id) => Math.floor(Number(id.slice(5)) / 2));
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  test('shows what succeeded or failed alone, page by page', async () => {
    const ids = await fill(workspace.id, 180);
    for (const outcome of ['succeeded', 'failed']) {
      const seen = (await walk(`${logPath(workspace.id)}?outcome=${outcome}`)).flat();
      const isFailed = (id: string) => Number(id.slice(5)) % 3 === 0;
      expect(seen.sort()).toEqual(ids.filter((id) => isFailed(id) === (outcome === 'failed')).sort());
    }
  });

  test('filters by status class, method, caller, path and day, alone and together', async () => {
    const line = (name: string, changes: object = {}) => {
      const fields = {
        at: '2026-11-02T12:00:00Z',
        method: 'GET',
        path: '/v1/leads',
        status: 200,
        key: 'key_1',
      };
      const { at, method, path, status, key } = { ...fields, ...changes };
      return sql(
        gala.databaseUrl,
        `INSERT INTO request_log (workspace_id, mode, occurred_at, id, request_id, method, path, status, duration_ms,
           credential_id, credential_name)
         VALUES ($1, 'live', $2, gen_random_uuid(), $3, $4, $5, $6, 1, $7, $8)`,
        [
          toUuid(workspace.id),
          at,
          name,
          method,
          path,
          status,
          key,
          key === 'key_1' ? 'Website Form' : 'Till',
        ],
      );
    };
    await line('plain');
    await line('post', { method: 'POST', status: 422 });
    await line('broken', { status: 500 });
    await line('gone', { status: null });
    await line('tasks', { path: '/v1/tasks', key: 'inst_2' });
    // In Madrid, the day begins an hour before.
    await line('first', { at: '2026-11-01T23:00:00Z' });
    await line('early', { at: '2026-11-01T22:59:59Z' });
    const found = async (query: string) => (await walk(`${logPath(workspace.id)}?${query}`)).flat().sort();
    const all = ['broken', 'early', 'first', 'gone', 'plain', 'post', 'tasks'];
    expect(await found('')).toEqual(all);
    expect(await found('outcome=4xx')).toEqual(['post']);
    expect(await found('outcome=5xx')).toEqual(['broken']);
    expect(await found('method=POST')).toEqual(['post']);
    expect(await found('path=v1/t')).toEqual(['tasks']);
    expect(await found('path=%2Fv1%2Ftasks')).toEqual(['tasks']);
    expect(await found('caller=inst_2')).toEqual(['tasks']);
    expect(await found('caller=website')).not.toContain('tasks');
    expect(await found('caller=%25')).toEqual([]);
    expect(await found('day=2026-11-01')).toEqual(['early']);
    expect(await found('day=2026-11-02')).toEqual(all.filter((name) => name !== 'early'));
    expect(await found('outcome=succeeded&method=GET&caller=till&day=2026-11-02')).toEqual(['tasks']);
    for (const odd of ['day=2026-02-30', 'day=9999-12-31', 'method=odd', 'before=odd', 'path=']) {
      expect(await found(odd)).toEqual(all);
    }
    expect(await found('caller=a%00b')).toEqual([]);
  });

  test('keeps the filters from page to page, and says how far it has searched', async () => {
    await fill(workspace.id, 10_100);
    const path = `${logPath(workspace.id)}?caller=website&method=GET`;
    const { older, text } = await show(path);
    expect(older).toContain('method=GET&caller=website&cursor=');
    expect(text).not.toContain('Searched back to');
    expect((await show(older!)).rows).toHaveLength(50);
    await sql(
      gala.databaseUrl,
      `UPDATE request_log SET method = 'POST' WHERE request_id IN ('line-50', 'line-10000')`,
    );
    const searched = (await show(path.replace('GET', 'POST'))).text;
    expect(searched).toContain('line-10000');
    expect(searched).toContain('Searched back to');
    const [, next] = /href="([^"]+before=[^"]+)"/.exec(searched)!;
    const rest = await show(next!.replaceAll('&amp;', '&'));
    expect(rest.rows.map(([request]) => request)).toEqual(['POST /v1/me line-50']);
    expect(rest.text).not.toContain('Searched back to');
  });

  test('says when nothing is like that, and minds no odd filter', async () => {
    await fill(workspace.id, 3);
    const path = logPath(workspace.id);
    expect((await show(`${path}?requestId=other`)).text).toContain('No matching requests');
    expect((await show(`${path}?requestId=a%00b`)).text).toContain('No matching requests');
    expect((await show(`${path}?requestId=%20line-1%20`)).rows).toHaveLength(1);
    expect((await show(`${path}?outcome=odd`)).rows).toHaveLength(3);
    expect((await show(`${path}?outcome=failed&requestId=line-1`)).rows).toHaveLength(0);
    const { text } = await show(`${path}?outcome=failed&requestId=${encodeURIComponent('"><b>')}`);
    expect(text).toContain('value="&quot;>&lt;b>"');
    expect(text).toMatch(/<option value="failed" selected/);
    expect((await browser.get(`${path}?cursor=odd`)).status).toBe(422);
  });
});

test('a request is answered while the log can’t be written, and its line is kept until it can', async () => {
  const client = await workspace.client();
  await sql(gala.databaseUrl, 'ALTER TABLE request_log RENAME TO request_log_away');
  const answers = await Promise.all([1, 2, 3].map(() => client.get('/v1/me')));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const warnings = () => gala.logged.filter((line) => line.includes('the request log can’t be written'));
  while (warnings().length === 0) {
    await gala.app.get(RequestLogWriter, { strict: false }).flush();
    await sleep(10);
  }
  await gala.app.get(RequestLogWriter, { strict: false }).flush();
  expect(warnings()).toHaveLength(1);
  expect((await client.get('/v1/me')).status).toBe(200);
  await sql(gala.databaseUrl, 'ALTER TABLE request_log_away RENAME TO request_log');
  const kept = (await storedAfter(gala, idOf(answers[2]!))).map(({ request_id: id }) => id);
  for (const answer of answers) expect(kept).toContain(idOf(answer));
});

test('lines that were written although the database’s answer got lost are there once', async () => {
  const database = gala.app.get(Database, { strict: false });
  const query = database.query.bind(database);
  const client = await workspace.client();
  const first = await client.get('/v1/me');
  const spy = jest.spyOn(database, 'query').mockImplementation(async (statement) => {
    await query(statement);
    throw new Error('connection lost');
  });
  while ((await sql(gala.databaseUrl, 'SELECT FROM request_log')).length === 0) {
    await gala.app.get(RequestLogWriter, { strict: false }).flush();
    await sleep(10);
  }
  spy.mockRestore();
  const next = await client.get('/v1/me');
  const stored = (await storedAfter(gala, idOf(next))).map(({ request_id: id }) => id);
  expect(stored).toEqual([first, next].map(idOf));
});

test('lines are written by themselves while the service runs, and those that wait when it ends', async () => {
  const database = await createDatabase();
  const running = await startGala({ databaseUrl: database.url });
  running.app.get(BackgroundJobs).start();
  const client = await (await running.createWorkspace()).client();
  const count = () => sql<{ count: number }>(database.url, 'SELECT count(*)::int FROM request_log');
  await client.get('/v1/me');
  while ((await count())[0]!.count === 0) await sleep(50);
  await running.app.get(BackgroundJobs).stop();
  await client.get('/v1/me');
  await running.stop();
  expect(await count()).toEqual([{ count: 2 }]);
  await database.drop();
});
