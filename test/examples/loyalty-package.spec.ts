import { execFile } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDatabase } from '../support/database';
import { createEmptyDatabase } from '../support/empty-database';
import { freePort, WorkingDirectory } from '../support/gala-process';
import { Client } from '../support/http-client';
import { compile, copyLoyalty, installPackedGala } from '../support/packed-gala';
import { fileNeeds } from '../support/requirements';
import { sql } from '../support/sql';
import { makeImageFolder, readDockerfile } from './image';

fileNeeds('bash', 'tar');

jest.setTimeout(300_000);

const run = promisify(execFile);

let team: WorkingDirectory;
let database: Awaited<ReturnType<typeof createDatabase>>;

/** Another team’s folder: their package, and in its node_modules ours, packed as it is given to them. */
beforeAll(async () => {
  team = new WorkingDirectory();
  database = await createDatabase();
  installPackedGala(team);
  copyLoyalty(team.path);
  await compile(team.path);
}, 300_000);
afterAll(async () => {
  await team.clear();
  await database.drop();
});

test('the example is compiled against the package, and started from its own main', async () => {
  const port = await freePort();
  const env = {
    PORT: String(port),
    PUBLIC_URL: 'http://loyalty.example.com',
    DATABASE_URL: database.url,
    DATA_DIR: join(team.path, 'data'),
  };
  const service = team.spawn(process.execPath, ['dist/src/main.js'], { env });
  await service.says(/Gala is ready/);
  const client = new Client(`http://127.0.0.1:${port}`);
  expect(await client.get('/v1/loyalty-accounts')).toMatchObject({ status: 401 });
  const { body } = await client.get('/openapi.json');
  expect(body.paths['/v1/loyalty-accounts'].get.operationId).toBe('listLoyaltyAccounts');
  // By their own mailer: without it a service that others reach couldn't send any.
  expect((await client.get('/password-reset')).text).toContain('name="email"');
  expect(await service.stop()).toMatchObject({ code: 0, stderr: '' });
});

describe('without a main, on a new database', () => {
  let empty: Awaited<ReturnType<typeof createEmptyDatabase>>;
  let environment: Record<string, string>;
  let baseUrl: string;
  beforeAll(async () => {
    empty = await createEmptyDatabase();
    const port = String(await freePort());
    baseUrl = `http://127.0.0.1:${port}`;
    environment = {
      PORT: port,
      PUBLIC_URL: 'http://loyalty.example.com',
      DATABASE_URL: empty.url,
      ENCRYPTION_KEY: 'a'.repeat(64),
      WORKERS: '2',
    };
  });
  afterAll(() => empty.drop());

  const gala = (args: string[], env = environment) =>
    team.spawn(process.execPath, ['node_modules/gala/bin/gala.js', ...args], { env });
  async function json(...args: string[]): Promise<any> {
    const { code, stdout, stderr } = await gala([...args, '--json']).finished;
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
    return JSON.parse(stdout);
  }

  test('`gala serve` has its routes and its mailer in every process, and commands have its scopes', async () => {
    const service = gala(['serve']);
    await service.says(/Gala is ready/);
    const workspace = ['--name', 'Garden Events', '--owner-email', 'ana@example.com'];
    const { id } = await json('workspace', 'create', ...workspace);
    const own = ['--workspace', id, '--mode', 'live', '--name', 'Shop', '--scopes', 'loyalty:read'];
    const { key } = await json('api-key', 'create', ...own);
    // On connections of their own, so that both processes answer.
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => new Client(baseUrl, key).get('/v1/loyalty-accounts')),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect((await new Client(baseUrl).get('/password-reset')).text).toContain('name="email"');

    const app = [
      '--redirect-uri',
      'https://tills.example/callback',
      '--scopes',
      'loyalty:read,loyalty:write',
    ];
    expect(await json('oauth-app', 'create', '--name', 'Tills', ...app)).toMatchObject({
      scopes: ['loyalty:read', 'loyalty:write'],
    });
    const demo = await json('demo');
    expect(await new Client(baseUrl, demo.keys.test).get('/v1/loyalty-accounts')).toMatchObject({
      status: 200,
    });
    expect(await service.stop()).toMatchObject({ code: 0, stderr: '' });
  });

  test('its migration ran after Gala’s, and the doctor misses nothing', async () => {
    const ran = await sql<{ name: string }>(empty.url, 'SELECT name FROM migrations ORDER BY id');
    expect(ran.at(-1)!.name).toBe('Loyalty1900000000000');
    expect(await json('migrate')).toEqual({ migrations: [] });
    const behindProxy = { PUBLIC_URL: 'https://loyalty.example.com', TRUSTED_PROXIES: 'loopback' };
    const report = await gala(['doctor', '--json'], { ...environment, ...behindProxy }).finished;
    expect(report).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(report.stdout).findings).toEqual(
      expect.arrayContaining([
        { check: 'extensions', status: 'ok', message: 'Extensions: LoyaltyModule.' },
        { check: 'schema', status: 'ok', message: 'The schema is up to date.' },
        { check: 'subscriptions', status: 'ok', message: 'Every subscription has a subscriber.' },
        { check: 'mail', status: 'ok', message: 'Emails are sent by an override of Mailer.' },
      ]),
    );
  });

  test('an image FROM Gala’s gets it by npm install, beside one copy of Gala and of what both need', async () => {
    const app = join(team.path, 'app');
    makeImageFolder(app);
    const { copies, runs } = readDockerfile('examples/loyalty/Dockerfile');
    await run('npm', ['pack', '--ignore-scripts', '--silent'], { cwd: team.path });
    for (const source of copies.flatMap(({ sources }) => sources))
      cpSync(join(team.path, source), join(app, source));
    const env = { ...process.env, NODE_ENV: 'production', npm_config_cache: join(team.path, 'cache') };
    for (const command of runs) await run('bash', ['-ec', `${command} --offline`], { cwd: app, env });

    const folders = (readdirSync(join(app, 'node_modules'), { recursive: true }) as string[]).filter((path) =>
      /(^|node_modules\/)(gala|@nestjs\/common|preact|typeorm|gala-loyalty)$/.test(path),
    );
    expect(folders.sort()).toEqual(['@nestjs/common', 'gala', 'gala-loyalty', 'preact', 'typeorm']);
    const entry = readDockerfile('Dockerfile').entry.map((word) => word.replace(/^\/app/, app));
    expect(entry[0]).toBe('node');
    const service = team.spawn(process.execPath, [...entry.slice(1), 'serve'], {
      cwd: app,
      env: environment,
    });
    await service.says(/Gala is ready/);
    expect(await new Client(baseUrl).get('/v1/loyalty-accounts')).toMatchObject({ status: 401 });
    const { body } = await new Client(baseUrl).get('/openapi.json');
    expect(body.paths['/v1/loyalty-accounts'].get.operationId).toBe('listLoyaltyAccounts');
    expect(await service.stop()).toMatchObject({ code: 0, stderr: '' });
  });
});

test('the package lets nobody in but by its public surface', async () => {
  const load = (name: string) =>
    promisify(execFile)(process.execPath, ['-e', `require(${JSON.stringify(name)})`], { cwd: team.path });
  await expect(load('gala')).resolves.toMatchObject({ stderr: '' });
  await expect(load('gala/dist/src/kernel/ids')).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED');
});
