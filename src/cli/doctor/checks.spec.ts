import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Configuration } from '../../platform/config/configuration';
import { loadConfiguration } from '../../platform/config/load-configuration';
import { checkAddress } from './check-address';
import { checkDatabase } from './check-database';
import { checkDescriptors, checkDisk, checkNode } from './check-machine';
import type { DatabaseFacts } from './database-facts';
import type { Finding } from './finding';

const GOOD: DatabaseFacts = {
  version: 180004,
  encoding: 'UTF8',
  isReplica: false,
  mayCreateTables: true,
  hasIcu: true,
  missingExtensions: [],
  connections: { used: 5, most: 100 },
  synchronous: { isWanted: false, standbys: 0 },
  clockAheadMs: 20,
  subscriptions: [{ subscriber: 'vendors', waiting: 0, sqlToDrop: ['DROP …;', 'DELETE …;'] }],
  migrations: ['One1', 'Two2'],
  backlog: { due: 3, lagSeconds: 2 },
  mails: { waiting: 3, oldestSeconds: 2, failed: 0 },
};
const EXPECTED = { migrations: ['One1', 'Two2'], subscribers: ['vendors', 'other'] };
const database = (facts: Partial<DatabaseFacts>) => checkDatabase({ ...GOOD, ...facts }, EXPECTED);
const statuses = (findings: Finding[]) =>
  findings.filter(({ status }) => status !== 'ok').map(({ check, status }) => `${check} ${status}`);

test('a good database has no findings', () => {
  expect(statuses(database({}))).toEqual([]);
  expect(
    statuses(database({ migrations: undefined, backlog: undefined, mails: undefined, subscriptions: [] })),
  ).toEqual([]);
});

test.each<[Partial<DatabaseFacts>, string, RegExp]>([
  [{ version: 140011 }, 'database problem', /PostgreSQL 14\.11/],
  [{ version: 190001 }, 'database warning', /not tested/],
  [{ encoding: 'LATIN1' }, 'database problem', /LATIN1/],
  [{ isReplica: true }, 'database problem', /replica/],
  [{ hasIcu: false }, 'database problem', /ICU/],
  [{ missingExtensions: ['btree_gist', 'pg_trgm'] }, 'database problem', /btree_gist, pg_trgm/],
  [{ mayCreateTables: false }, 'database problem', /may not create tables/],
  [{ connections: { used: 95, most: 100 } }, 'database warning', /95 of 100/],
  [{ synchronous: { isWanted: true, standbys: 0 } }, 'database problem', /no write can succeed/],
  [{ migrations: ['One1'] }, 'schema warning', /pending: Two2/],
  [{ migrations: ['One1', 'Two2', 'Three3'] }, 'schema warning', /Three3/],
  [
    { subscriptions: [{ subscriber: 'loyalty', waiting: 7, sqlToDrop: ['DROP …;', 'DELETE …;'] }] },
    'subscriptions warning',
    /subscription loyalty; 7 of them/,
  ],
  [{ clockAheadMs: -2500 }, 'clock warning', /2\.5 s behind/],
  [{ clockAheadMs: 40_000 }, 'clock problem', /40\.0 s ahead/],
  [{ backlog: { due: 900, lagSeconds: 700 } }, 'webhooks warning', /900 .* 700 s/],
  [{ mails: { waiting: 40, oldestSeconds: 4000, failed: 0 } }, 'mails warning', /40 .* 4000 s/],
  [{ mails: { waiting: 0, oldestSeconds: 0, failed: 6 } }, 'mails warning', /6 emails .* could not be sent/],
])('database facts %j are a %s', (facts, status, message) => {
  const findings = database(facts);
  expect(statuses(findings)).toEqual([status]);
  const found = findings.find((finding) => finding.status !== 'ok')!;
  expect(found.message).toMatch(message);
  expect(found.remedy).toMatch(/\w{3}/);
});

const configuration = (environment: Record<string, string>): Configuration => loadConfiguration(environment);

test.each([
  [{}, 'address warning'],
  [{ PUBLIC_URL: 'http://api.example.com' }, 'address problem'],
  [{ PUBLIC_URL: 'https://api.example.com' }, 'address problem'],
])('the address with %j is a %s', (environment, status) => {
  expect(statuses(checkAddress(configuration(environment)))).toEqual([status]);
});

test('an address behind a trusted proxy has no findings', () => {
  const environment = { PUBLIC_URL: 'https://api.example.com', TRUSTED_PROXIES: '10.0.0.0/8' };
  expect(statuses(checkAddress(configuration(environment)))).toEqual([]);
});

test.each([
  ['20.19.0', []],
  ['24.1.0', []],
  ['20.18.3', ['node problem']],
  ['18.20.0', ['node problem']],
])('Node.js %s: %j', (version, expected) => {
  expect(statuses(checkNode(version))).toEqual(expected);
});

test.each([
  ['Max open files            1024                 524288               files', ['descriptors warning']],
  ['Max open files            65536                524288               files', []],
  ['Max open files            unlimited            unlimited            files', []],
  ['', []],
])('limits "%s": %j', (limits, expected) => {
  expect(statuses(checkDescriptors(limits))).toEqual(expected);
});

test('the disk is checked only if something is stored on it', () => {
  const elsewhere = {
    DATABASE_URL: 'postgres://db/gala',
    ENCRYPTION_KEY: 'a'.repeat(64),
    DATA_DIR: '/proc/nowhere',
  };
  expect(checkDisk(configuration(elsewhere))).toEqual([]);
  expect(checkDisk(configuration({ DATA_DIR: join(tmpdir(), 'not', 'yet') }))).toHaveLength(1);
});
