import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDatabase } from '../support/database';
import { build, freePort, ROOT, WorkingDirectory } from '../support/gala-process';
import { Client } from '../support/http-client';
import { fileNeeds } from '../support/requirements';

fileNeeds('tar');

jest.setTimeout(300_000);

let team: WorkingDirectory;
let database: Awaited<ReturnType<typeof createDatabase>>;

/** Another team’s folder: their package, and in its node_modules ours, packed as it is given to them. */
beforeAll(async () => {
  build();
  team = new WorkingDirectory();
  database = await createDatabase();
  const modules = join(team.path, 'node_modules');
  mkdirSync(join(modules, 'gala'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name !== 'gala') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', team.path];
  const tarball = execFileSync('npm', pack, { cwd: ROOT, encoding: 'utf8' }).trim();
  execFileSync('tar', [
    '-xzf',
    join(team.path, tarball),
    '-C',
    join(modules, 'gala'),
    '--strip-components=1',
  ]);
  for (const name of ['src', 'migrations', 'package.json', 'tsconfig.json']) {
    cpSync(join(ROOT, 'examples/loyalty', name), join(team.path, name), { recursive: true });
  }
}, 300_000);
afterAll(async () => {
  await team.clear();
  await database.drop();
});

test('the example is compiled against the package, and started from its own main', async () => {
  await promisify(execFile)(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc')], {
    cwd: team.path,
  });
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

test('the package lets nobody in but by its public surface', async () => {
  const load = (name: string) =>
    promisify(execFile)(process.execPath, ['-e', `require(${JSON.stringify(name)})`], { cwd: team.path });
  await expect(load('gala')).resolves.toMatchObject({ stderr: '' });
  await expect(load('gala/dist/src/kernel/ids')).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED');
});
