import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEmptyDatabase } from '../support/empty-database';
import { type Finished, freePort, WorkingDirectory } from '../support/gala-process';
import { Client } from '../support/http-client';
import { compile, copyLoyalty, installPackedGala } from '../support/packed-gala';
import { PageClient } from '../support/page-client';
import { fileNeeds } from '../support/requirements';

fileNeeds('tar');

jest.setTimeout(300_000);

const CONFIGURATION = `
const { loyalty, overrides } = require('./loyalty/dist/src/loyalty');
const { vendors } = require('./gala-vendors/dist/src/vendors');
module.exports = { extensions: [loyalty, vendors], overrides };
`;
const TILL_SECRET = 'till-secret-of-the-tests';

let team: WorkingDirectory;
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let port: number;
let environment: Record<string, string>;
let scaffolded: Finished;

/** A team’s folder with our package, the example, and an extension that the package’s scaffold wrote. */
beforeAll(async () => {
  team = new WorkingDirectory();
  database = await createEmptyDatabase();
  port = await freePort();
  environment = {
    PORT: String(port),
    DATABASE_URL: database.url,
    DATA_DIR: join(team.path, 'data'),
    LOYALTY_TILL_SECRET: TILL_SECRET,
  };
  installPackedGala(team);
  mkdirSync(join(team.path, 'loyalty'));
  copyLoyalty(join(team.path, 'loyalty'));
  await compile(join(team.path, 'loyalty'));
  scaffolded = await gala('new-extension', 'vendors');
}, 300_000);
afterAll(async () => {
  await team.clear();
  await database.drop();
});

const start = (...args: string[]) =>
  team.spawn(process.execPath, [join(team.path, 'node_modules/gala/bin/gala.js'), ...args], {
    env: environment,
  });
const gala = (...args: string[]) => start(...args).finished;

async function json(...args: string[]) {
  const { code, stdout, stderr } = await gala(...args, '--json');
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

test('the tests of a new extension pass', async () => {
  expect(scaffolded).toMatchObject({ code: 0, stderr: '' });
  expect(scaffolded.stdout).toContain('npm test');
  const env = { PATH: process.env.PATH!, npm_config_update_notifier: 'false' };
  const cwd = join(team.path, 'gala-vendors');
  const { code, stdout, stderr } = await team.spawn('npm', ['test'], { cwd, env }).finished;
  expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: expect.stringMatching(/# pass [1-9]/) });
  expect(stdout).toContain('# fail 0');
});

describe('two extensions in one composition', () => {
  let migrations: string[];
  beforeAll(async () => {
    writeFileSync(join(team.path, 'gala.config.js'), CONFIGURATION);
    ({ migrations } = await json('migrate'));
  });

  test('a fresh database gets the migrations of both after Gala’s', () => {
    const added = migrations.slice(-2).map((name) => name.replace(/\d+$/, ''));
    expect(added.sort()).toEqual(['Loyalty', 'Vendors']);
  });

  test('keys get the scopes of both, and routes and pages of both are served', async () => {
    const demo = await json('demo');
    const scopes = ['loyalty:read', 'loyalty:write', 'vendors:read', 'vendors:write'].join(',');
    const { key } = await json(
      ...['api-key', 'create', '--workspace', demo.workspaceId, '--mode', 'live', '--name', 'Both'],
      ...['--scopes', scopes],
    );
    const service = start('serve');
    await service.says(/Gala is ready/);
    const client = new Client(`http://127.0.0.1:${port}`, key);
    const grants = [{ email: 'ana@example.com', points: 5 }];
    expect(await client.post('/v1/loyalty-accounts/grants', { grants })).toMatchObject({ status: 200 });
    const { body } = await client.post('/v1/vendors', { name: 'Flowers' });
    expect(await client.get(`/v1/vendors/${body.id}`)).toMatchObject({ status: 200, body });
    expect(await client.get('/v1/leads')).toMatchObject({ status: 403 });
    const { paths } = (await client.get('/openapi.json')).body;
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/v1/loyalty-accounts', '/v1/vendors', '/v1/vendors/{id}']),
    );

    const browser = new PageClient(client.baseUrl);
    await browser.submit('/sign-in', demo.signIn, { on: '/sign-in' });
    const overview = (await browser.get(`/settings/${demo.workspaceId}`)).text;
    for (const page of ['test/loyalty', 'test/loyalty-tills', 'test/vendors']) {
      const path = `/settings/${demo.workspaceId}/${page}`;
      expect(overview).toContain(`href="${path}"`);
      expect(await browser.get(path)).toMatchObject({ status: 200 });
    }
    expect(await service.stop()).toMatchObject({ code: 0, stderr: '' });
  });
});
