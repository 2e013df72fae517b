import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, freePort, isRoot, NOBODY, ROOT, WorkingDirectory } from '../support/gala-process';
import { Client } from '../support/http-client';

jest.setTimeout(120_000);

let directory: WorkingDirectory;
beforeAll(build, 120_000);
beforeEach(() => (directory = new WorkingDirectory()));
afterEach(() => directory.clear());

const KEY = /gala_(?:live|test)_[0-9A-Za-z]{38}/g;

/** Just as someone pastes it; curl takes the wish to print the status from its own configuration file. */
async function paste(line: string): Promise<{ status: string; body: string }> {
  writeFileSync(join(directory.path, '.curlrc'), 'silent\nwrite-out = "\\n%{http_code}"\n');
  const { stdout } = await promisify(execFile)('sh', ['-c', line], {
    env: { PATH: process.env.PATH, HOME: directory.path },
  });
  const [body = '', status = ''] = stdout.split(/\n(?=\d+$)/);
  return { body, status };
}

test('a first start with an empty environment in an empty folder leads to a first lead, and the next one keeps it', async () => {
  const port = await freePort();
  const env = { PORT: String(port) };
  const first = await directory.start(['serve'], { env }).isUp();
  const baseUrl = `http://localhost:${port}`;

  expect(first.stderr).toBe('');
  expect(first.stdout.split('\n')[0]).toBe(
    `Preparing the embedded PostgreSQL in ${directory.path}/data/postgres (first start, takes a few seconds)`,
  );
  expect(first.stdout).toContain(`Gala is ready at ${baseUrl} — API reference: ${baseUrl}/docs`);
  const keys = [...new Set(first.stdout.match(KEY))];
  expect(keys.map((key) => key.slice(0, 10)).sort()).toEqual(['gala_live_', 'gala_test_']);
  expect(first.stdout).toContain('owner@example.com');
  expect(readdirSync(directory.path)).toEqual(['data']);
  expect(statSync(join(directory.path, 'data')).mode & 0o777).toBe(0o700);

  const lines = first.stdout.match(/^ {2}curl .*$/gm)!;
  expect(lines).toHaveLength(1);
  const { status, body } = await paste(lines[0]);
  expect(status).toBe('201');
  const lead = JSON.parse(body);
  expect(lead).toMatchObject({ name: 'Ana Pérez', email: 'ana@example.com', guests: 120 });

  const [live, sandbox] = keys.sort().map((key) => new Client(`http://127.0.0.1:${port}`, key));
  expect((await live!.get('/v1/me')).body).toMatchObject({ mode: 'live', workspace: { name: 'Gala Demo' } });
  expect((await sandbox!.get('/v1/leads')).body.pagination.total).toBe(4);
  expect((await live!.get('/v1/leads')).body.pagination.total).toBe(0);
  expect((await live!.get('/docs')).status).toBe(200);
  await first.stop('SIGINT');

  const second = await directory.start(['serve'], { env }).isUp();
  expect(second.stdout).not.toMatch(/gala_(live|test)_/);
  expect(second.stdout).not.toContain('Preparing');
  expect(second.stdout).toContain(`Gala is ready at ${baseUrl}`);
  expect((await sandbox!.get(`/v1/leads/${lead.id}`)).body).toEqual(lead);
  expect((await second.stop('SIGINT')).code).toBe(0);
});

test.each(['1', '2'])(
  'variables for another PostgreSQL don’t reach the embedded one, with %s processes',
  async (WORKERS) => {
    const env = {
      ...{
        PGSSLMODE: 'require',
        PGHOST: 'nowhere.invalid',
        PGPORT: '1',
        PGUSER: 'nobody',
        PGPASSWORD: 'wrong',
      },
      ...{ PGDATABASE: 'nothing', PGOPTIONS: '-c default_transaction_read_only=on', PGDATA: '/nowhere' },
      ...{ PORT: String(await freePort()), WORKERS },
    };
    const service = await directory.start(['serve'], { env }).isUp();
    const [key] = service.stdout.match(KEY)!;
    const client = new Client(`http://127.0.0.1:${env.PORT}`, key);
    expect((await client.post('/v1/leads', { email: 'ana@example.com' })).status).toBe(201);
    const command = await directory.run(['workspace', 'list', '--json'], { env });
    expect(JSON.parse(command.stdout)).toHaveLength(1);
    expect((await service.stop()).code).toBe(0);
    expect(await directory.leftovers()).toEqual([]);
  },
);

describe('a project folder that its user may not write to', () => {
  let project: string;
  beforeEach(() => {
    project = join(directory.path, 'project');
    mkdirSync(project);
    for (const name of [
      'bin',
      'dist',
      'src',
      'migrations',
      'ormconfig.ts',
      'package.json',
      'package-lock.json',
    ])
      cpSync(join(ROOT, name), join(project, name), { recursive: true, preserveTimestamps: true });
    symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
    execFileSync('chmod', ['-R', 'a-w', project]);
  });
  afterEach(() => {
    for (const entry of readdirSync(project, { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755);
    }
    chmodSync(project, 0o755);
  });

  const account = isRoot ? NOBODY : {};

  /** Not in a clone that only root can enter. */
  function isReachable(): boolean {
    try {
      execFileSync(
        process.execPath,
        ['-e', 'fs.readdirSync(process.argv[1])', join(ROOT, 'node_modules')],
        account,
      );
      return true;
    } catch {
      return false;
    }
  }

  (isReachable() ? test : test.skip)('serves an ordinary user from a folder of their own', async () => {
    const home = join(directory.path, 'home');
    mkdirSync(home);
    if (isRoot) execFileSync('chown', [`${NOBODY.uid}:${NOBODY.gid}`, home]);
    chmodSync(directory.path, 0o755);
    const before = readdirSync(project);
    const options = {
      cwd: home,
      project,
      ...account,
      env: { PORT: String(await freePort()), DATA_DIR: 'kept' },
    };

    const gala = await directory.start(['serve'], options).isUp();
    expect(gala.stderr).toBe('');
    const { status } = await paste(/^ {2}curl .*$/m.exec(gala.stdout)![0]);
    expect(status).toBe('201');
    expect(readdirSync(join(home, 'kept'))).toContain('postgres');
    if (isRoot) expect(statSync(join(home, 'kept/postgres'))).toMatchObject(NOBODY);

    const listed = await directory.run(['workspace', 'list', '--json'], options);
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'Gala Demo' }]);

    expect((await gala.stop('SIGINT')).code).toBe(0);
    expect(await directory.leftovers()).toEqual([]);
    expect(readdirSync(project)).toEqual(before);
    expect(readdirSync(home)).toEqual(['kept']);
  });
});
