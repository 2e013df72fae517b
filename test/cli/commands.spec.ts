import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEmptyDatabase } from '../support/empty-database';
import { build, type Finished, freePort, type GalaProcess, WorkingDirectory } from '../support/gala-process';
import { Client } from '../support/http-client';

jest.setTimeout(120_000);

/** One embedded database for the whole file: at first nobody runs it, then a service does. */
let directory: WorkingDirectory;
let port: number;
let metricsPort: number;
beforeAll(async () => {
  build();
  directory = new WorkingDirectory();
  port = await freePort();
  metricsPort = await freePort();
}, 120_000);
afterAll(() => directory.clear());

/** The service's, which its commands get as well. */
const environment = () => ({ PORT: String(port), METRICS_PORT: String(metricsPort) });

const run = (...args: string[]): Promise<Finished> => directory.run(args, { env: environment() });

async function json(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect({ args, code, stderr }).toEqual({
    args,
    code: 0,
    stderr: expect.stringMatching(/^(Preparing .*\n)?$/),
  });
  return JSON.parse(stdout);
}

async function text(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
  return stdout;
}

describe('without a service', () => {
  test('commands start the embedded database and stop it again', async () => {
    const made = await run(
      'workspace',
      'create',
      '--name',
      'Früh & Spät',
      '--owner-email',
      "o'neil@example.com",
      '--json',
    );
    expect(made).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Preparing .*\n$/) });
    const workspace = JSON.parse(made.stdout);
    expect(workspace).toMatchObject({ id: expect.stringMatching(/^ws_/), name: 'Früh & Spät' });
    expect(await directory.leftovers()).toEqual([]);

    expect(await json('workspace', 'list')).toMatchObject([
      {
        id: workspace.id,
        name: 'Früh & Spät',
        owners: ["o'neil@example.com"],
        timeZone: 'UTC',
        currency: 'EUR',
      },
    ]);
    expect(await directory.leftovers()).toEqual([]);
  });
});

describe('beside a running service', () => {
  let service: GalaProcess;
  beforeAll(async () => {
    service = await directory.start(['serve'], { env: environment() }).isUp();
  }, 60_000);

  const clientOf = (key: string) => new Client(`http://127.0.0.1:${port}`, key);

  /** What the service and its database have written for people to read. */
  const logs = () =>
    service.stdout + service.stderr + readFileSync(join(directory.path, 'data/postgres.log'), 'utf8');

  test('a key works as soon as it is made, and no more once it is revoked', async () => {
    const workspace = (await json('workspace', 'list'))[0].id;
    const created = await json(
      ...['api-key', 'create', '--workspace', workspace, '--mode', 'live', '--name', 'Site'],
      ...['--scopes', 'leads:read, leads:write', '--expires-at', '2099-01-01T00:00:00+02:00'],
    );
    expect(created).toMatchObject({
      key: expect.stringMatching(/^gala_live_[0-9A-Za-z]{38}$/),
      name: 'Site',
      mode: 'live',
      scopes: ['leads:read', 'leads:write'],
      expiresAt: '2098-12-31T22:00:00.000Z',
    });
    const client = clientOf(created.key);
    const lead = await client.post('/v1/leads', { email: 'ana@example.com' });
    expect(lead.status).toBe(201);
    expect((await client.get('/v1/me')).body).toMatchObject({
      mode: 'live',
      workspace: { id: workspace, name: 'Früh & Spät' },
      credential: { id: created.id },
    });

    const listed = await json('api-key', 'list', '--workspace', workspace);
    expect(listed).toMatchObject([{ id: created.id, last4: created.key.slice(-4), revokedAt: null }]);
    expect(JSON.stringify(listed)).not.toContain(created.key);

    const revoked = await json('api-key', 'revoke', '--workspace', workspace, created.id);
    expect(revoked).toMatchObject({ id: created.id, revokedAt: expect.any(String) });
    expect((await client.get(`/v1/leads/${lead.body.id}`)).status).toBe(401);
    expect(logs()).not.toContain(created.key);
  });

  test('leads are exported to the standard output', async () => {
    const workspace = (await json('workspace', 'list'))[0].id;
    const where = ['export', 'leads', '--workspace', workspace, '--mode', 'live'];
    const csv = await text(...where, '--columns', 'email,stage');
    expect(csv).toBe('\ufeffemail,stage\r\nana@example.com,new_enquiry\r\n');
    const lines = (await text(...where, '--format', 'jsonl')).trim().split('\n');
    const rows = lines.map((line) => JSON.parse(line) as object);
    expect(rows).toMatchObject([{ email: 'ana@example.com' }, { end: true, rows: 1 }]);
    const refused = await run(...where, '--columns', 'nonsense');
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('columns: must be'),
    });
  });

  test('unranked holds get a rank, after a trial', async () => {
    const workspace = (await json('workspace', 'list'))[0].id;
    const where = ['--workspace', workspace, '--mode', 'live'];
    const scopes = ['--scopes', 'calendar:read,calendar:write'];
    const client = clientOf((await json('api-key', 'create', ...where, '--name', 'Holds', ...scopes)).key);
    const { id: spaceId } = (await client.post('/v1/spaces', { name: 'Hall' })).body;
    const hold = { type: 'hold', title: 'Pérez', startsAt: '2927-06-12', endsAt: '2927-06-13', spaceId };
    const { id } = (await client.post('/v1/calendar-events', hold)).body;
    expect(await text('holds', 'adopt', ...where, '--dry-run')).toMatch(
      new RegExp(`^${id} +Pérez +1 +.*\\n\\n1 of 1 would get a rank. Nothing was changed.\\n$`, 'm'),
    );
    expect(await json('holds', 'adopt', ...where, id)).toMatchObject([{ calendarEventId: id, rank: 1 }]);
    expect((await client.get('/v1/holds')).body.data).toMatchObject([{ calendarEventId: id, rank: 1 }]);
    expect(await text('holds', 'adopt', ...where)).toContain('no holds without a rank');
    expect(await run('holds', 'adopt', ...where, 'cal_1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cal_01h455vb4pex5vsknk084sn02q'),
    });
  });

  test('reports are printed as the API answers them, and as tables', async () => {
    const workspace = (await json('workspace', 'list'))[0].id;
    const year = new Date().getUTCFullYear();
    const [from, to] = [`${year}-01-01`, `${year + 1}-12-31`];
    const period = ['--workspace', workspace, '--mode', 'live', '--from', from, '--to', to];
    const responses = await json(
      'report',
      'responses',
      ...period,
      '--interval',
      'year',
      '--group-by',
      'source',
    );
    expect(responses).toMatchObject({ total: { leads: 1 }, rows: [{ key: null }, { key: null }] });
    expect(await json('report', 'funnel', ...period)).toMatchObject({
      stages: expect.arrayContaining([expect.objectContaining({ stage: 'new_enquiry', entered: 1 })]),
    });
    expect(await json('report', 'outcomes', ...period, '--basis', 'created')).toMatchObject({
      total: { created: 1, conversion: 0 },
      lostReasons: [],
    });
    expect(await text('report', 'outcomes', ...period)).toMatch(
      new RegExp(`^FROM +TO +GROUP +CREATED .*\\n${from} +${to} +– +1 `),
    );
    const refused = await run('report', 'funnel', ...period.slice(0, -1), `${year - 1}-12-31`);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('to: must not be before from'),
    });
    const unknown = await run('report', 'funnel', ...period, '--basis', 'closed');
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('created, entered') });
  });

  test('people get lines to read', async () => {
    const made = await text(
      'workspace',
      'create',
      '--name',
      'Hall',
      '--owner-email',
      'a@example.com',
      '--time-zone',
      'Europe/Dublin',
      '--currency',
      'GBP',
    );
    const id = /\bws_\w{26}\b/.exec(made)![0];
    const table = (await text('workspace', 'list')).split('\n');
    expect(table[0]).toMatch(/^ID +NAME +OWNERS +TIME ZONE +CURRENCY$/);
    expect(table[2]).toMatch(new RegExp(`^${id} +Hall +a@example.com +Europe/Dublin +GBP$`));

    // What it proposes as the next step works when pasted.
    const next = /Next: npx gala (.*)$/m.exec(made)![1]!;
    const words = [...next.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
    const issued = await text(...words);
    const key = /^ {2}(gala_test_\w{38})$/m.exec(issued)![1]!;
    expect((await clientOf(key).get('/v1/leads')).status).toBe(200);

    const keyId = /\bkey_\w{26}\b/.exec(issued)![0];
    const keys = await text('api-key', 'list', '--workspace', id);
    expect(keys).toMatch(
      new RegExp(`^${keyId} +test +First key +${key.slice(-4)} +leads:read,leads:write +.* active$`, 'm'),
    );
    expect(keys).not.toContain(key);
    expect(await text('api-key', 'revoke', '--workspace', id, keyId)).toMatch(
      new RegExp(`^Revoked the key ${keyId}`),
    );
    expect((await clientOf(key).get('/v1/leads')).status).toBe(401);
    expect(logs()).not.toContain(key);
  });

  test('a demo can be made at any time, with new keys', async () => {
    const demo = await json('demo');
    expect(demo).toMatchObject({
      workspaceId: expect.stringMatching(/^ws_/),
      name: expect.stringMatching(/^Gala Demo/),
    });
    expect((await clientOf(demo.keys.test).get('/v1/leads')).body.pagination.total).toBe(3);
    expect((await clientOf(demo.keys.live).get('/v1/me')).body.workspace.id).toBe(demo.workspaceId);

    // Whoever has the first demo keeps their sign-in.
    const { name, signIn } = await json('demo');
    expect(name).not.toBe(demo.name);
    expect(signIn.email).not.toBe(demo.signIn.email);

    const shown = await text('demo');
    expect(shown).toContain(`curl http://localhost:${port}/v1/leads`);
    const key = /^ {2}test key {2}(\S+)$/m.exec(shown)![1]!;
    expect(key).not.toBe(demo.keys.test);
    expect((await clientOf(key).get('/v1/leads')).body.pagination.total).toBe(3);
    for (const secret of [demo.keys.live, demo.keys.test, key]) expect(logs()).not.toContain(secret);
  });

  test('the service outlives them all', async () => {
    expect(service.hasEnded).toBe(false);
    expect(await service.stop()).toMatchObject({ code: 0, stderr: '' });
    expect(await directory.leftovers()).toEqual([]);
  });

  test('a list that is given in several options is all of them', async () => {
    const workspace = (await json('workspace', 'list'))[0].id;
    const name = ['--name', 'Several'];
    const scopes = ['--scopes', 'leads:read', '--scopes', 'leads:write, calendar:read'];
    const key = await json(
      'api-key',
      'create',
      '--workspace',
      workspace,
      '--mode',
      'test',
      ...name,
      ...scopes,
    );
    expect(key.scopes).toEqual(['leads:read', 'leads:write', 'calendar:read']);
    const uris = ['--redirect-uri', 'https://a.test/cb', '--redirect-uri', 'https://b.test/cb'];
    const app = await json('oauth-app', 'create', ...name, ...scopes, ...uris);
    expect(app).toMatchObject({
      scopes: key.scopes,
      redirectUris: ['https://a.test/cb', 'https://b.test/cb'],
    });
    const changed = await json(
      'oauth-app',
      'update',
      app.clientId,
      ...scopes.slice(0, 2),
      '--scopes',
      'leads:write',
    );
    expect(changed.scopes).toEqual(['leads:read', 'leads:write']);
  });
});

test.each(['Asia/Kolkata', 'America/Argentina/Buenos_Aires'])(
  'the time zone %s goes by its present name',
  async (timeZone) => {
    const input = ['--name', 'Hall', '--owner-email', 'a@example.com', '--time-zone', timeZone];
    expect(await json('workspace', 'create', ...input)).toMatchObject({ timeZone });
  },
);

test('migrate brings an empty database up to date, once', async () => {
  const database = await createEmptyDatabase();
  try {
    const env = { DATABASE_URL: database.url };
    const first = await directory.run(['migrate', '--json'], { env });
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const { migrations } = JSON.parse(first.stdout);
    expect(migrations.length).toBeGreaterThan(0);
    expect(await directory.run(['migrate'], { env })).toMatchObject({
      code: 0,
      stdout: 'The schema is up to date.\n',
      stderr: '',
    });
  } finally {
    await database.drop();
  }
});
