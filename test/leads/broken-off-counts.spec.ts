import { toUuid } from '../../src/kernel/ids';
import { type LeadList, WordCounts } from '../../src/modules/leads/infrastructure/word-counts/word-counts';
import { WordCounting } from '../../src/modules/leads/infrastructure/word-counts/word-counting';
import type { Client } from '../support/http-client';
import { createLead, list } from '../support/leads';
import { onConnection, sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

let gala: TestGala;
let counting: WordCounting;
let workspace: TestWorkspace;
let client: Client;
let leads: LeadList;
beforeAll(async () => {
  gala = await startGala();
  counting = gala.app.get(WordCounting, { strict: false });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  leads = [toUuid(workspace.id), 'live'];
});

const rowsOf = (table: string) =>
  sql(gala.databaseUrl, `SELECT * FROM ${table} WHERE workspace_id = $1`, [leads[0]]);
const written = () => rowsOf('lead_word_changes');
const totalOf = async (q: string) => (await list(client, { q, sort: 'createdAt' })).body.pagination.total;
const insertNamed = (name: string, howMany: number): [string, unknown[]] => [
  `INSERT INTO leads SELECT $1, 'live', gen_random_uuid(), NULL, 'a@b.test', NULL, NULL, NULL, NULL, 'new_enquiry', '{}', NULL,
     now(), now(), $2::text FROM generate_series(1, $3)`,
  [leads[0], name, howMany],
];

/** Begins to count while this connection's transaction is open, and stops after `meanwhile`. */
async function breakOff(
  connection: { query(text: string): Promise<unknown> },
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  await connection.query('BEGIN');
  await connection.query('SELECT pg_current_xact_id()');
  const stopped = new AbortController();
  const counted = counting.count(leads, 1, stopped.signal);
  while ((await rowsOf('lead_word_lists')).length === 0);
  await meanwhile();
  expect(await written()).not.toEqual([]);
  stopped.abort();
  await counted;
}

test('a first count that is broken off leaves nothing that grows', async () => {
  await createLead(client, { name: 'Ana' });
  await onConnection(gala.databaseUrl, async (connection) => {
    await breakOff(connection, () => createLead(client, { name: 'Ana' }));
    await connection.query('COMMIT');
  });
  expect([await written(), await rowsOf('lead_word_lists')]).toEqual([[], []]);
  await createLead(client, { name: 'Ana' });
  expect(await written()).toEqual([]);
  await counting.count(leads, 3);
  expect(await totalOf('ana')).toBe(3);
});

test('a first count that is broken off does not spoil the next by what a transaction wrote under both', async () => {
  await sql(gala.databaseUrl, ...insertNamed('garden', 5_100));
  await onConnection(gala.databaseUrl, async (connection) => {
    await onConnection(gala.databaseUrl, async (writing) => {
      await writing.query('BEGIN');
      await breakOff(connection, async () => {
        await writing.query(...insertNamed('gardx', 1_000));
        await sql(gala.databaseUrl, ...insertNamed('bo', 1));
      });
      await writing.query(`UPDATE leads SET search_text = 'plain' WHERE search_text = 'gardx'`);
      await writing.query('COMMIT');
    });
    await connection.query('COMMIT');
  });
  expect(await written()).toHaveLength(1_000);
  await counting.count(leads, 6_101);
  await counting.addUp();
  for (const q of ['gard', 'garden', 'rde', 'ga']) expect(await totalOf(q)).toBe(5_100);
  expect([await totalOf('plain'), await totalOf('gardx'), await totalOf('dx')]).toEqual([1_000, 0, 0]);
});

test('a first count that a crash broke off is made up for, even if the list is not large any more', async () => {
  const counts = gala.app.get(WordCounts, { strict: false });
  await counts.claim(leads);
  await createLead(client, { name: 'Ana' });
  await sql(
    gala.databaseUrl,
    `UPDATE lead_word_lists SET counting_since = now() - interval '11 minutes' WHERE workspace_id = $1`,
    [leads[0]],
  );
  await counting.countDue();
  await counting.addUp();
  expect(await written()).toEqual([]);
  expect(await totalOf('an')).toBe(1);
});
