import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../ormconfig';
import { TextKeys1820000000000 } from '../../migrations/1820000000000-text-keys';
import { createDatabase } from '../support/database';
import { onConnection, sql } from '../support/sql';

const { name } = TextKeys1820000000000;
const WORKSPACE = randomUUID();

let database: Awaited<ReturnType<typeof createDatabase>>;
let dataSource: DataSource;
beforeEach(async () => {
  database = await createDatabase();
  dataSource = await createDataSource({ url: database.url, poolSize: 1 }).initialize();
  while (await isApplied()) await dataSource.undoLastMigration();
  await sql(
    database.url,
    `INSERT INTO workspaces (id, name, time_zone, currency, created_at) VALUES ($1, 'Test', 'UTC', 'EUR', now())`,
    [WORKSPACE],
  );
});
afterEach(async () => {
  await dataSource.destroy();
  await database.drop();
});

const isApplied = async () =>
  (await sql(database.url, 'SELECT FROM migrations WHERE name = $1', [name])).length > 0;

/** As the former release adds them. */
async function addLeads(count: number, fields: { name?: string; tag?: string; email?: string } = {}) {
  const { name = 'Zoe\u0308', tag = 'CAFE\u0301', email = 'Zoe\u0308@example.com' } = fields;
  await sql(
    database.url,
    `INSERT INTO leads (workspace_id, mode, id, name, email, source, stage, tags, created_at, updated_at, search_text)
     SELECT $1, 'live', gen_random_uuid(), $2, $3, $4, 'new_enquiry', ARRAY[$4], now(), now(), $5
     FROM generate_series(1, $6::int)`,
    [WORKSPACE, name, email, tag, `${name}\n${email}\n${tag}`.toLowerCase(), count],
  );
}

const FOLDED = 'zoë\nzoë@example.com\ncafé';
const searchTexts = async () => {
  const rows = await sql<{ search_text: string }>(
    database.url,
    'SELECT DISTINCT search_text FROM leads ORDER BY 1',
  );
  return rows.map(({ search_text }) => search_text);
};
const foundByKeys = async () => {
  const [row] = await sql<{ count: number }>(
    database.url,
    `SELECT count(*)::int FROM leads WHERE fold_text(email) = fold_text('ZOË@example.com')
       AND fold_text(source) = fold_text('Café') AND fold_texts(tags) @> ARRAY[fold_text('café')]`,
  );
  return row!.count;
};

test('leads of the former release are found, in however many portions', async () => {
  await addLeads(1203);
  await addLeads(1, { name: 'Ana', tag: 'vip', email: 'Ana@example.com' });
  await dataSource.runMigrations();
  expect(await searchTexts()).toEqual(['ana\nana@example.com\nvip', FOLDED]);
  expect(await foundByKeys()).toBe(1203);
});

test('updatedAt stays, and so does what was written', async () => {
  await addLeads(2);
  const given = () =>
    sql(database.url, 'SELECT id, name, email, source, tags, updated_at FROM leads ORDER BY id');
  const before = await given();
  await dataSource.runMigrations();
  expect(await given()).toEqual(before);
});

test('an instance of the former release goes on writing leads that are found', async () => {
  await dataSource.runMigrations();
  await addLeads(1);
  expect(await searchTexts()).toEqual([FOLDED]);
  await sql(database.url, `UPDATE leads SET name = $1, search_text = $1`, ['οδο\u0301ς']);
  expect(await searchTexts()).toEqual(['οδόσ']);
  expect(await foundByKeys()).toBe(1);
});

test('a run that was interrupted is taken up again', async () => {
  await addLeads(3);
  await sql(database.url, 'CREATE TABLE leads_tag_keys (id int)');
  const log = jest.spyOn(console, 'log').mockImplementation();
  await expect(dataSource.runMigrations()).rejects.toThrow('leads_tag_keys');
  log.mockRestore();
  expect(await isApplied()).toBe(false);
  await sql(database.url, 'DROP TABLE leads_tag_keys');
  await addLeads(2);
  await dataSource.runMigrations();
  expect(await searchTexts()).toEqual([FOLDED]);
  expect(await foundByKeys()).toBe(5);
  const invalid = await sql(database.url, 'SELECT FROM pg_index WHERE NOT indisvalid');
  expect(invalid).toEqual([]);
});

test('leads are written while it waits for a transaction that holds one', async () => {
  await addLeads(1);
  await onConnection(database.url, async (holder) => {
    await holder.query('BEGIN');
    await holder.query('UPDATE leads SET guests = 1');
    const migrating = dataSource.runMigrations();
    for (let count = 0; count < 3; count++) await addLeads(1);
    expect(await isApplied()).toBe(false);
    await holder.query('COMMIT');
    await migrating;
  });
  expect(await foundByKeys()).toBe(4);
  expect(await searchTexts()).toEqual([FOLDED]);
});

test('tables are analysed and indexes are built, for which PostgreSQL has a search path of its own', async () => {
  await addLeads(2);
  await dataSource.runMigrations();
  for (const statement of ['ANALYZE leads', 'REINDEX TABLE leads', 'VACUUM ANALYZE leads'])
    await sql(database.url, statement);
  expect(await foundByKeys()).toBe(2);
});
