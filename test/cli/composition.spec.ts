import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createEmptyDatabase } from '../support/empty-database';
import { build, eachOf, type Finished, ROOT, WorkingDirectory } from '../support/gala-process';
import { sql } from '../support/sql';

jest.setTimeout(120_000);

let directory: WorkingDirectory;
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
beforeAll(async () => {
  build();
  directory = new WorkingDirectory();
  database = await createEmptyDatabase();
}, 240_000);
afterAll(async () => {
  await directory.clear();
  await database.drop();
});

/** An extension without a build: a scope, a table of its own, a subscription and its subscriber. */
const VENDORS = `
  const { createSubscription, dropSubscription, EventSubscribers } = require('gala');
  class VendorsModule {
    constructor(subscribers) {
      subscribers.add({ name: 'vendors', handle: async () => undefined });
    }
  }
  Reflect.defineMetadata('design:paramtypes', [EventSubscribers], VendorsModule);
  class Vendors1795941752000 {
    async up(runner) {
      await runner.query('CREATE TABLE vendors (id uuid PRIMARY KEY)');
      await createSubscription(runner, 'vendors', ['lead.created']);
    }
    async down(runner) {
      await dropSubscription(runner, 'vendors');
      await runner.query('DROP TABLE vendors');
    }
  }
  exports.vendors = {
    module: VendorsModule,
    migrations: [Vendors1795941752000],
    scopes: { 'vendors:read': 'List and get vendors' },
  };`;

/** A folder with these files, and with Gala among its packages as npm installs it. */
function project(name: string, files: Record<string, string>): string {
  const path = join(directory.path, name);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  }
  mkdirSync(join(path, 'node_modules'), { recursive: true });
  symlinkSync(ROOT, join(path, 'node_modules/gala'));
  return path;
}

async function json(cwd: string, ...args: string[]): Promise<any> {
  const env = { DATABASE_URL: database.url, ENCRYPTION_KEY: 'a'.repeat(64) };
  const { code, stdout, stderr } = await directory.run([...args, '--json'], { cwd, env });
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe('with a configuration file', () => {
  let cwd: string;
  let workspace: string;
  beforeAll(async () => {
    cwd = project('vendors', {
      'package.json': '{ "name": "venue" }',
      'vendors.js': VENDORS,
      'gala.config.js': `const { vendors } = require('./vendors'); module.exports = { extensions: [vendors] };`,
    });
    const { migrations } = await json(cwd, 'migrate');
    expect(migrations.slice(-2)).toEqual([expect.stringMatching(/^\D+18/), 'Vendors1795941752000']);
    workspace = (await json(cwd, 'workspace', 'create', '--name', 'A', '--owner-email', 'a@example.com')).id;
  });

  test('keys, apps and the demo get the extension’s scopes', async () => {
    const options = ['--workspace', workspace, '--mode', 'live', '--name', 'Key', '--scopes', 'vendors:read'];
    expect(await json(cwd, 'api-key', 'create', ...options)).toMatchObject({ scopes: ['vendors:read'] });
    const app = ['--name', 'App', '--redirect-uri', 'https://a.test/cb', '--scopes', 'vendors:read'];
    expect(await json(cwd, 'oauth-app', 'create', ...app)).toMatchObject({ scopes: ['vendors:read'] });
    const demo = await json(cwd, 'demo');
    const keys = await json(cwd, 'api-key', 'list', '--workspace', demo.workspaceId);
    expect(keys).toHaveLength(2);
    for (const { scopes } of keys)
      expect(scopes).toEqual(expect.arrayContaining(['vendors:read', 'leads:read']));
  });

  test('the doctor knows its migrations, and handles its subscription', async () => {
    const schema = async (folder: string) =>
      (await json(folder, 'doctor')).findings.filter(({ check }: any) =>
        ['extensions', 'schema', 'subscriptions'].includes(check),
      );
    expect(await schema(cwd)).toEqual([
      { check: 'extensions', status: 'ok', message: 'Extensions: VendorsModule.' },
      { check: 'schema', status: 'ok', message: 'The schema is up to date.' },
      { check: 'subscriptions', status: 'ok', message: 'Every subscription has a subscriber.' },
    ]);
  });
});

describe('without its extension any more', () => {
  test('the doctor tells of the migrations and of the subscription that it left, and how to drop it', async () => {
    const cwd = project('removed', {});
    await sql(
      database.url,
      `INSERT INTO subscriber_events SELECT gen_random_uuid(), 'live', gen_random_uuid(), 'vendors', 0, now()
       FROM generate_series(1, 3)`,
    );
    const queued = await sql(database.url, 'SELECT FROM subscriber_events');
    expect(queued.length).toBeGreaterThan(2);
    const { healthy, findings } = await json(cwd, 'doctor');
    expect(healthy).toBe(true);
    const warning = findings.find(({ check }: any) => check === 'subscriptions');
    expect(warning).toMatchObject({
      status: 'warning',
      message: `No module handles the events of the subscription vendors; ${queued.length} of them are waiting.`,
    });
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'schema',
        message: expect.stringContaining('doesn’t know: Vendors1795941752000.'),
        remedy: expect.stringContaining('an extension was removed'),
      }),
    );
    const [, ...commands] = /: (SET lock_timeout .*; DROP TRIGGER .*;) Then: (DELETE .*;)$/.exec(
      warning.remedy,
    )!;
    for (const command of commands) await sql(database.url, command);
    const after = (await json(cwd, 'doctor')).findings;
    const subscriptions = after.filter(({ check }: any) => check === 'subscriptions');
    expect(subscriptions).toEqual([expect.objectContaining({ status: 'ok' })]);
    expect(await sql(database.url, 'SELECT FROM subscriber_events')).toEqual([]);
  });
});

const scope = (name: string) =>
  `{ extensions: [{ module: class EmptyModule {}, scopes: { '${name}:read': 'Read' } }] }`;

test.each<[string, Record<string, string>]>([
  ['gala.config.js', { 'gala.config.js': `module.exports = ${scope('js')}` }],
  [
    'gala.config.js of a CommonJS package',
    {
      'package.json': '{ "type": "commonjs" }',
      'gala.config.js': `module.exports = ${scope('js')}`,
    },
  ],
  [
    'gala.config.js of an ES package',
    {
      'package.json': '{ "type": "module" }',
      'gala.config.js': `await null; export default ${scope('js')}`,
    },
  ],
  [
    'gala.config.cjs',
    {
      'package.json': '{ "type": "module" }',
      'gala.config.cjs': `module.exports = ${scope('js')}`,
    },
  ],
  ['gala.config.mjs', { 'gala.config.mjs': `export default ${scope('js')}` }],
  [
    'the entry of package.json',
    {
      'package.json': '{ "gala": "./build/composition.js" }',
      'build/composition.js': `module.exports = ${scope('js')}`,
    },
  ],
  [
    'the entry of package.json, for a file that would be read anyway',
    {
      'package.json': '{ "gala": "gala.config.js" }',
      'gala.config.js': `module.exports = ${scope('js')}`,
    },
  ],
  [
    'a default export that TypeScript compiled',
    {
      'package.json': '{ "gala": "./dist/gala.config.js" }',
      'gala.config.ts': 'export default {}',
      'dist/gala.config.js': `Object.defineProperty(exports, '__esModule', { value: true }); exports.default = ${scope('js')}`,
    },
  ],
])('%s is read', async (title, files) => {
  const cwd = project(title.replaceAll(/\W+/g, '-'), files);
  const options = ['--name', 'App', '--redirect-uri', 'https://a.test/cb', '--scopes', 'js:read'];
  expect(await json(cwd, 'oauth-app', 'create', ...options)).toMatchObject({ scopes: ['js:read'] });
});

const CASES: [title: string, files: Record<string, string>, says: RegExp][] = [
  [
    'a file that is no JavaScript',
    { 'gala.config.js': 'module.exports = {' },
    /^gala\.config\.js can’t be loaded: .*gala\.config\.js:\d+\)\. /,
  ],
  [
    'a module that is no JavaScript',
    { 'gala.config.mjs': 'export default {' },
    /^gala\.config\.mjs can’t be loaded: /,
  ],
  [
    'a package that is not installed',
    { 'gala.config.js': "require('gala-vendors')" },
    /^gala\.config\.js can’t be loaded: Cannot find module 'gala-vendors' \(.*gala\.config\.js:1:1\)\. Install and build/,
  ],
  [
    'an extension that throws',
    { 'gala.config.js': "require('./vendors')", 'vendors.js': '\n\nthrow new TypeError("No such luck.");' },
    /^gala\.config\.js can’t be loaded: No such luck \(.*vendors\.js:3:7\)\. /,
  ],
  [
    'something thrown that is no error',
    { 'gala.config.js': "throw 'luck'" },
    /^gala\.config\.js can’t be loaded: luck\. /,
  ],
  [
    'a file without an export',
    { 'gala.config.mjs': 'export const extensions = [];' },
    /^gala\.config\.mjs can’t be used: it exports undefined/,
  ],
  [
    'an entry that is misspelt',
    { 'gala.config.cjs': 'module.exports = { extension: [] }' },
    /^gala\.config\.cjs can’t be used: it exports "extension"/,
  ],
  [
    'two files',
    { 'gala.config.js': '', 'gala.config.mjs': '' },
    /gala\.config\.js and gala\.config\.mjs\. Keep one/,
  ],
  [
    'a file beside an entry',
    { 'gala.config.js': '', 'x.js': '', 'package.json': '{ "gala": "x.js" }' },
    /gala\.config\.js and x\.js\. Keep one/,
  ],
  [
    'an entry without its file',
    { 'package.json': '{ "gala": "./dist/x.js" }' },
    /"gala" in package\.json names \.\/dist\/x\.js, which doesn’t exist\. Build it/,
  ],
  [
    'an entry that is no path',
    { 'package.json': '{ "gala": { "extensions": [] } }' },
    /"gala" in package\.json must be the path of a file/,
  ],
  ['a package.json that is no JSON', { 'package.json': '{' }, /^package\.json can’t be read: .*Correct it/],
  [
    'a TypeScript file alone',
    { 'gala.config.ts': 'export default {}' },
    /^gala\.config\.ts can’t be loaded\. Compile it, and name/,
  ],
  [
    'another copy of Gala',
    {
      'gala.config.js': `module.exports = require('./elsewhere/extension')`,
      'elsewhere/extension.js': `require('gala'); module.exports = {}`,
      'elsewhere/node_modules/gala/package.json': readFileSync(join(ROOT, 'package.json'), 'utf8'),
    },
    /^gala\.config\.js can’t be loaded: There are two copies of Gala: .* and .*elsewhere/,
  ],
];

describe('a configuration that can’t be used', () => {
  const outcomes = new Map<string, Finished>();
  beforeAll(async () => {
    await eachOf(CASES, async ([title, files]) => {
      const cwd = project(title.replaceAll(' ', '-'), files);
      const copied = join(cwd, 'elsewhere/node_modules/gala');
      if (existsSync(copied)) {
        cpSync(join(ROOT, 'dist'), join(copied, 'dist'), { recursive: true });
        symlinkSync(join(ROOT, 'node_modules'), join(copied, 'node_modules'));
      }
      outcomes.set(title, await directory.run(['migrate'], { cwd, env: { DATABASE_URL: database.url } }));
    });
  }, 120_000);

  test.each(CASES)('%s stops a command in a clear line', (title, _files, says) => {
    const { code, stdout, stderr } = outcomes.get(title)!;
    expect(stderr).toMatch(says);
    expect(stderr).toMatch(/^[^\n]+\.\n$/);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  test('the service stops with the same line, and the doctor reports it', async () => {
    const cwd = project('broken', { 'gala.config.js': 'module.exports = { extensions: [undefined] }' });
    const env = { DATABASE_URL: database.url };
    const { code, stderr } = await directory.run(['serve'], { cwd, env });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^gala\.config\.js can’t be used: extensions\[0\] is undefined\..*\n$/),
    });
    const report = await directory.run(['doctor', '--json'], { cwd, env });
    expect(report.code).toBe(1);
    expect(JSON.parse(report.stdout).findings).toContainEqual({
      check: 'extensions',
      status: 'problem',
      message: stderr.trim(),
      remedy: expect.stringContaining('again'),
    });
  });
});

test('help needs no configuration', async () => {
  const cwd = project('help', { 'gala.config.js': 'throw 1' });
  expect(await directory.run(['--help'], { cwd })).toMatchObject({ code: 0, stderr: '' });
});
