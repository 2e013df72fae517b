import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { createDatabase } from '../support/database';
import { createEmptyDatabase } from '../support/empty-database';
import { build, type Finished, freePort, WorkingDirectory } from '../support/gala-process';
import { sql } from '../support/sql';
import { testWith } from '../support/requirements';

jest.setTimeout(120_000);

let directory: WorkingDirectory;
let database: Awaited<ReturnType<typeof createDatabase>>;
beforeAll(async () => {
  build();
  directory = new WorkingDirectory();
  database = await createDatabase();
}, 240_000);
afterAll(async () => {
  await directory.clear();
  await database.drop();
});

interface Report {
  healthy: boolean;
  findings: { check: string; status: string; message: string; remedy?: string }[];
}

const KEY = 'a'.repeat(64);

const examine = (env: Record<string, string>, ...args: string[]): Promise<Finished> =>
  directory.run(['doctor', ...args], { env });

async function report(env: Record<string, string>): Promise<Report & { code: number | null }> {
  const { code, stdout } = await examine(env, '--json');
  return { code, ...(JSON.parse(stdout) as Report) };
}

const found = ({ findings }: Report, status: string) =>
  findings.filter((finding) => finding.status === status).map(({ check, message }) => `${check}: ${message}`);

test('a new installation without anything is healthy, and nothing is made by looking', async () => {
  const { code, healthy, findings } = await report({});
  expect({ code, healthy }).toEqual({ code: 0, healthy: true });
  expect(findings).toContainEqual({
    check: 'database',
    status: 'ok',
    message: 'The first start creates the embedded PostgreSQL.',
  });
  expect(execFileSync('ls', [directory.path], { encoding: 'utf8' })).toBe('');
});

test('a deployment as it should be is told so in words', async () => {
  const { code, stdout, stderr } = await examine({
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: KEY,
    PUBLIC_URL: 'https://api.example.com',
    TRUSTED_PROXIES: 'loopback',
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^✓ database +PostgreSQL 18/m);
  expect(stdout).toMatch(/^✓ schema +The schema is up to date\.$/m);
  expect(stdout).toMatch(/^✓ clock /m);
  expect(stdout).toMatch(/^! mail +No emails are sent.*\n +→ Set SMTP_URL/m);
  expect(stdout).toMatch(/Problems: 0\. Warnings: \d+\.\n$/);
});

test('what is wrong is all told at once, with what to do', async () => {
  const [nobody, tooLate] = [await freePort(), await freePort()];
  const result = await report({
    DATABASE_URL: `postgres://gala:hidden-password@127.0.0.1:${nobody}/gala`,
    REDIS_URL: `redis://:hidden-password@127.0.0.1:${nobody}`,
    SMTP_URL: `smtp://gala:hidden-password@127.0.0.1:${tooLate}`,
    PUBLIC_URL: 'https://api.example.com',
  });
  expect(result).toMatchObject({ code: 1, healthy: false });
  expect(found(result, 'problem').map((line) => line.split(':')[0])).toEqual([
    'address',
    'database',
    'redis',
    'mail',
  ]);
  expect(result.findings.every(({ status, remedy }) => status === 'ok' || remedy)).toBe(true);
  expect(JSON.stringify(result)).not.toContain('hidden-password');
});

test('wrong variables are named, each by itself', async () => {
  const result = await report({ PORT: 'many', LOG_LEVEL: 'loud' });
  expect(result.code).toBe(1);
  expect(found(result, 'problem')).toEqual([
    expect.stringContaining('configuration: PORT must be a whole number'),
    expect.stringContaining('configuration: LOG_LEVEL must be one of'),
  ]);
});

test('an empty database, one with pending migrations, and one of another version are told apart', async () => {
  const empty = await createEmptyDatabase();
  const schema = async () =>
    (await report({ DATABASE_URL: empty.url, ENCRYPTION_KEY: KEY })).findings.filter(
      ({ check }) => check === 'schema',
    );
  expect(await schema()).toMatchObject([{ status: 'ok', message: expect.stringContaining('is empty') }]);
  expect(await sql(empty.url, `SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
  await empty.drop();

  await sql(database.url, `UPDATE migrations SET name = 'Later1999' WHERE name LIKE 'Subscriptions%'`);
  const { code, ...other } = await report({ DATABASE_URL: database.url, ENCRYPTION_KEY: KEY });
  expect(code).toBe(0);
  expect(found(other, 'warning')).toEqual(
    expect.arrayContaining([
      'schema: Migrations are pending: Subscriptions1806000000000.',
      'schema: The database has migrations that this version doesn’t know: Later1999.',
    ]),
  );
});

testWith('openssl')('a certificate for another host, or one that ends soon, is found', async () => {
  const [certificate, key] = [join(directory.path, 'cert.pem'), join(directory.path, 'key.pem')];
  const subject = ['-subj', '/CN=api.example.com', '-addext', 'subjectAltName=DNS:api.example.com'];
  const files = ['-keyout', key, '-out', certificate, '-days', '5'];
  const options = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', ['req', ...options, ...files, ...subject], { stdio: 'pipe' });
  const tls = {
    TLS_CERT_FILE: certificate,
    TLS_KEY_FILE: key,
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: KEY,
  };
  const soon = await report({ ...tls, PUBLIC_URL: 'https://api.example.com' });
  expect(found(soon, 'warning')).toContainEqual(
    expect.stringMatching(/^tls: The certificate expires in [45] days\.$/),
  );
  const other = await report({ ...tls, PUBLIC_URL: 'https://api.example.org' });
  expect(found(other, 'problem')).toEqual(['tls: The certificate is not for api.example.org.']);
});
