import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createDatabase, databaseUrl } from '../support/database';
import { build, eachOf, type Finished, WorkingDirectory } from '../support/gala-process';

jest.setTimeout(120_000);

const SECRET = 'hush-hush';
const WRONG = {
  PORT: '70000',
  DATABASE_URL: `mysql://gala:${SECRET}@localhost/gala`,
  PUBLIC_URL: 'gala.example.com',
  TRUSTED_PROXIES: '10.0.0.0/8, somewhere',
  REDIS_URL: `http://:${SECRET}@localhost`,
  RATE_LIMIT_READS: '0',
  RATE_LIMIT_WRITES: 'many',
  TLS_CERT_FILE: '/nowhere/certificate.pem',
  TLS_KEY_FILE: '/nowhere/key.pem',
  HTTPS_PORT: '-1',
  METRICS_PORT: '1.5',
  METRICS_TOKEN: SECRET,
  LOG_LEVEL: 'loud',
};

interface Case {
  title: string;
  env: () => Record<string, string>;
  says: RegExp;
  /** The data directory was touched, so the embedded database must be gone again. */
  embedded?: boolean;
}

/** It accepts connections and never says a word. */
let silent: Server;
let silentPort: number;
let database: Awaited<ReturnType<typeof createDatabase>>;
let directory: WorkingDirectory;

const withUrl = (change: (url: URL) => void) => () => {
  const url = new URL(database.url);
  url.password = SECRET;
  change(url);
  return { PORT: '3998', DATABASE_URL: url.href };
};
const inDirectory = (name: string) => join(directory.path, name);

const cases: Case[] = [
  {
    title: 'a taken port',
    env: () => ({ PORT: String(silentPort) }),
    says: /^Port \d+ is taken by another process\..* PORT\.$/,
    embedded: true,
  },
  {
    title: 'a taken port for metrics',
    env: () => ({ PORT: '3998', METRICS_PORT: String(silentPort), DATABASE_URL: database.url }),
    says: /^Port \d+ is taken by another process\..* METRICS_PORT\.$/,
  },
  {
    title: 'a certificate that is none',
    env: () => ({
      PORT: '3998',
      TLS_CERT_FILE: inDirectory('garbage.pem'),
      TLS_KEY_FILE: inDirectory('garbage.pem'),
      DATABASE_URL: database.url,
    }),
    says: /TLS_CERT_FILE|TLS_KEY_FILE/,
  },
  {
    title: 'a certificate without its key',
    env: () => ({ TLS_CERT_FILE: inDirectory('garbage.pem') }),
    says: /TLS_KEY_FILE/,
  },
  {
    title: 'a data directory that is a file',
    env: () => ({ DATA_DIR: 'garbage.pem' }),
    says: /garbage\.pem could not be started: .*file/,
  },
  {
    title: 'a database server that is not there',
    env: withUrl((url) => (url.port = '1')),
    says: /^The database can't be reached \(ECONNREFUSED\): .*127\.0\.0\.1:1.* Check DATABASE_URL\.$/,
  },
  {
    title: 'a host that does not exist',
    env: withUrl((url) => (url.hostname = 'nowhere.invalid')),
    says: /^The database can't be reached \(E\w+\): .*nowhere\.invalid.* Check DATABASE_URL\.$/,
  },
  {
    title: 'a database server that never answers',
    env: withUrl((url) => (url.port = String(silentPort))),
    says: /^The database can't be reached.* Check DATABASE_URL\.$/,
  },
  {
    title: 'a wrong password',
    env: withUrl(() => undefined),
    says: /^The database can't be reached .*password.* Check DATABASE_URL\.$/,
  },
  {
    title: 'a database that does not exist',
    env: () => ({ PORT: '3998', DATABASE_URL: databaseUrl('gala_never_made') }),
    says: /^The database can't be reached .*"gala_never_made" does not exist.* Check DATABASE_URL\.$/,
  },
];

const outcomes = new Map<string, Finished & { ms: number; leftovers: string[] }>();

beforeAll(async () => {
  build();
  silent = createServer((socket) => socket.on('error', () => undefined).resume()).listen(0);
  await once(silent, 'listening');
  silentPort = (silent.address() as AddressInfo).port;
  database = await createDatabase();
  directory = new WorkingDirectory();
  writeFileSync(inDirectory('garbage.pem'), 'not a certificate\n');
  await eachOf(cases, async ({ title, env, embedded }) => {
    const startedAt = Date.now();
    const cwd = embedded ? inDirectory(title) : directory.path;
    mkdirSync(cwd, { recursive: true });
    const finished = await directory.run(['serve'], { cwd, env: env() });
    outcomes.set(title, { ...finished, ms: Date.now() - startedAt, leftovers: [] });
  });
}, 120_000);

afterAll(async () => {
  await directory.clear();
  await database.drop();
  await new Promise((closed) => silent.close(closed));
});

test.each(cases)('$title ends the start with a message that says what to do', ({ title, says }) => {
  const { code, stdout, stderr, ms } = outcomes.get(title)!;
  expect(stderr.trimEnd()).toMatch(says);
  expect(code).toBe(1);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(stdout + stderr).not.toContain(SECRET);
  expect(stdout).not.toContain('ready');
  expect(ms).toBeLessThan(30_000);
});

test('nothing is left running by starts that failed', async () => {
  expect(await directory.leftovers()).toEqual([]);
});

test('every variable that is wrong is named, all at once and without secrets', async () => {
  const { code, stdout, stderr } = await directory.run(['serve'], { env: WRONG });
  expect(code).toBe(1);
  expect(stdout).toBe('');
  const [title, ...problems] = stderr.trimEnd().split('\n');
  expect(title).toBe('The configuration is invalid:');
  const names = problems.map((line) => /^ {2}([A-Z_]+) must /.exec(line)?.[1]);
  // Any token is as good as another.
  expect(names.sort()).toEqual(
    Object.keys(WRONG)
      .filter((name) => name !== 'METRICS_TOKEN')
      .sort(),
  );
  expect(stderr).not.toContain(SECRET);
});

test('.env is read, the environment wins over it, and blank is the same as not given', async () => {
  const cwd = inDirectory('with .env');
  mkdirSync(cwd);
  const lines = [
    'LOG_LEVEL=loud',
    'RATE_LIMIT_READS=none',
    'RATE_LIMIT_WRITES="  "',
    'METRICS_PORT=none',
    '# PORT=none',
  ];
  writeFileSync(join(cwd, '.env'), `${lines.join('\n')}\n`);
  const env = { RATE_LIMIT_READS: '5', METRICS_PORT: '', PUBLIC_URL: ' ' };
  const { code, stderr } = await directory.run(['workspace', 'list'], { cwd, env });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The configuration is invalid:\n {2}LOG_LEVEL must be one of .*, not "loud"\n$/);
});

test.each<[string, (text: string) => Buffer]>([
  ['UTF-8 with a byte order mark', (text) => Buffer.from(`\uFEFF${text}`)],
  ['UTF-8 with line ends of Windows', (text) => Buffer.from(`\uFEFF${text.replaceAll('\n', '\r\n')}`)],
  ['UTF-16, as PowerShell writes it', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
])('a .env in %s is read from its first variable on', async (encoding, encode) => {
  const cwd = inDirectory(`.env in ${encoding}`);
  mkdirSync(cwd);
  writeFileSync(join(cwd, '.env'), encode('DATABASE_URL=mysql://nowhere\nLOG_LEVEL=loud\n'));
  const { code, stderr } = await directory.run(['workspace', 'list'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^The configuration is invalid:\n {2}DATABASE_URL must .*\n {2}LOG_LEVEL must .*\n$/,
  );
});

test('variables that look like misspelt ones are named at the start, without what they hold', async () => {
  const env = { DATABSE_URL: `postgres://gala:${SECRET}@localhost/gala`, PORT: 'none' };
  const { stderr } = await directory.run(['serve'], { env });
  expect(stderr).toMatch(
    /^DATABSE_URL is not a variable of Gala.*DATABASE_URL\?\nThe configuration is invalid:\n/,
  );
  expect(stderr).not.toContain(SECRET);
});
