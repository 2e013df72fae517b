import { randomBytes } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createDataSource } from '../../ormconfig';
import { migrations } from '../../migrations';
import { loadConfiguration } from '../../src/platform/config/load-configuration';
import type { Feature } from '../../src/platform/feature';
import { createSubscription, dropSubscription } from '../../src/platform/outbox/subscription';
import { openDatabase } from '../../src/service/open-database';
import { createEmptyDatabase } from '../support/empty-database';
import { sql } from '../support/sql';

jest.setTimeout(120_000);

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(() => database.drop());

const names = migrations.map(({ name }) => name);
const latest = Number(names.at(-1)!.slice(-13));

/** Named by a clock that is behind Gala's numbers, and built on Gala's tables and functions. */
class Mine1795941752000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE mine (workspace_id uuid, mode text, lead_id uuid,
         FOREIGN KEY (workspace_id, mode, lead_id) REFERENCES leads (workspace_id, mode, id))`,
    );
    await createSubscription(runner, 'mine', ['lead.created']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropSubscription(runner, 'mine');
    await runner.query(`DROP TABLE mine`);
  }
}

/** A migration that leaves a table of its name, and takes it back. */
function migrationOf(name: string, needs = 'leads'): new () => MigrationInterface {
  const table = name.toLowerCase();
  const type = class {
    async up(runner: QueryRunner): Promise<void> {
      await runner.query(`CREATE TABLE ${table} AS SELECT FROM ${needs} LIMIT 0`);
    }

    async down(runner: QueryRunner): Promise<void> {
      await runner.query(`DROP TABLE ${table}`);
    }
  };
  Object.defineProperty(type, 'name', { value: name });
  return type;
}

function featureOf(moduleName: string, ...list: (new () => MigrationInterface)[]): Feature {
  const module = class {};
  Object.defineProperty(module, 'name', { value: moduleName });
  return { module, migrations: list };
}

/** As every start does; resolves to the names of the migrations that ran. */
async function open(...extensions: Feature[]): Promise<string[]> {
  const configuration = loadConfiguration({ DATABASE_URL: database.url });
  const opened = await openDatabase(configuration, { role: 'service', extensions });
  await opened.close();
  return opened.migrated;
}

async function undo(count: number, ...extensions: Feature[]): Promise<void> {
  const dataSource = await createDataSource({ url: database.url, extensions, poolSize: 1 }).initialize();
  for (let undone = 0; undone < count; undone++) await dataSource.undoLastMigration();
  await dataSource.destroy();
}

const recorded = async () =>
  (await sql<{ name: string }>(database.url, 'SELECT name FROM migrations ORDER BY id')).map(
    ({ name }) => name,
  );
const mine = featureOf('MineModule', Mine1795941752000);

test('on a fresh database, those of extensions run after all of Gala’s', async () => {
  expect(await open(mine)).toEqual([...names, 'Mine1795941752000']);
  expect(await open(mine)).toEqual([]);
});

test('those of two extensions are ordered by their timestamps among themselves', async () => {
  const first = featureOf(
    'FirstModule',
    migrationOf('First1700000000000'),
    migrationOf('First1900000000000', 'second1795941752001'),
  );
  const second = featureOf('SecondModule', migrationOf('Second1795941752001', 'first1700000000000'));
  expect(await open(first, second)).toEqual([
    ...names,
    'First1700000000000',
    'Second1795941752001',
    'First1900000000000',
  ]);
});

test('an extension that is added later runs its own alone, whatever their timestamps', async () => {
  await open();
  expect(await open(mine)).toEqual(['Mine1795941752000']);
});

test.each([1795000000001, latest + 1])(
  'a Gala that gains the migration number %i runs it on a database that has the extension’s',
  async (timestamp) => {
    await open(mine);
    // As if the database were of the version before: Gala's migration of that number is not there yet.
    const gained = migrationOf(`Gained${timestamp}`);
    migrations.push(gained);
    try {
      expect(await open(mine)).toEqual([gained.name]);
      expect(await recorded()).toEqual([...names, 'Mine1795941752000', gained.name]);
      // What ran last is taken back first.
      await undo(2, mine);
      expect(await recorded()).toEqual(names);
      expect(await open(mine)).toEqual([gained.name, 'Mine1795941752000']);
    } finally {
      migrations.pop();
    }
  },
);

test('they are taken back before Gala’s, and all of Gala’s can be taken back after them', async () => {
  await open(mine);
  await undo(1, mine);
  expect(await recorded()).toEqual(names);
  expect(await sql(database.url, `SELECT FROM pg_trigger WHERE tgname = 'subscriber_mine'`)).toEqual([]);
  expect(await open(mine)).toEqual(['Mine1795941752000']);
  await undo(names.length + 1, mine);
  expect(await recorded()).toEqual([]);
  expect(await open(mine)).toEqual([...names, 'Mine1795941752000']);
});

test('of several instances that start at once, with and without the extension, each migration runs once', async () => {
  const ran = await Promise.all([open(mine), open(), open(mine), open(mine)]);
  expect(ran.flat().sort()).toEqual([...names, 'Mine1795941752000'].sort());
  expect(await recorded()).toEqual([...names, 'Mine1795941752000']);
});

test('one that fails leaves Gala’s in place, and runs when it is corrected', async () => {
  const log = jest.spyOn(console, 'log').mockImplementation();
  await expect(open(featureOf('MineModule', migrationOf('Mine1795941752000', 'nowhere')))).rejects.toThrow(
    'nowhere',
  );
  log.mockRestore();
  expect(await recorded()).toEqual(names);
  expect(await open(mine)).toEqual(['Mine1795941752000']);
});

test.each([
  ['Gala', 'VendorsModule', [featureOf('VendorsModule', migrationOf(names[3]!))], names[3]!],
  [
    'MineModule',
    'VendorsModule',
    [mine, featureOf('VendorsModule', migrationOf('Mine1795941752000'))],
    'Mine1795941752000',
  ],
])(
  'a name that %s and %s both use stops the start before anything runs',
  async (one, other, extensions, name) => {
    await expect(open(...extensions)).rejects.toThrow(
      `There are two migrations with the name ${name}: one of ${one} and one of ${other}. Rename`,
    );
    expect(await sql(database.url, `SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
  },
);

test('a name that a migration gives itself counts, as it does for TypeORM', async () => {
  const name = `Renamed${randomBytes(2).readUInt16BE()}1795941752000`;
  const named = migrationOf('Whatever1795941752000');
  const other = class extends named {
    override readonly name = name;
  };
  await expect(
    open(featureOf('VendorsModule', other), featureOf('MineModule', migrationOf(name))),
  ).rejects.toThrow(`the name ${name}: one of VendorsModule and one of MineModule`);
});
