import { type LeadId, toUuid } from '../../src/kernel/ids';
import type { LeadList } from '../../src/modules/leads/infrastructure/word-counts/word-counts';
import { WordCounting } from '../../src/modules/leads/infrastructure/word-counts/word-counting';
import { WordCounts } from '../../src/modules/leads/infrastructure/word-counts/word-counts';
import type { Client } from '../support/http-client';
import { insertLeads } from '../support/many-leads';
import { createLead, list } from '../support/leads';
import { onConnection, sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

jest.setTimeout(180_000);

const SIZE = 24_000;
let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let counting: WordCounting;
let leads: LeadList;
beforeAll(async () => {
  gala = await startGala();
  counting = gala.app.get(WordCounting, { strict: false });
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  leads = [toUuid(workspace.id), 'live'];
  await insertLeads(gala.databaseUrl, leads, SIZE);
});
afterAll(() => gala.stop());

const countNow = () => counting.count(leads, SIZE);

/** What the tables say of a word, whichever of the two has it, beside what is there. */
async function expectExact(words: string[]): Promise<void> {
  const rows = await sql<{ word: string; archived: boolean; told: string; held: string }>(
    gala.databaseUrl,
    `SELECT word, archived,
       coalesce((SELECT leads FROM lead_word_counts AS counted WHERE workspace_id = $1 AND mode = 'live'
         AND counted.word = searched.word AND counted.archived = part.archived), 0)
       + coalesce((SELECT sum(difference) FROM lead_word_changes AS change WHERE workspace_id = $1 AND mode = 'live'
         AND change.archived = part.archived AND strpos(search_text, word) > 0), 0) AS told,
       (SELECT count(*) FROM leads WHERE workspace_id = $1 AND mode = 'live'
         AND (archived_at IS NOT NULL) = part.archived AND strpos(search_text, word) > 0) AS held
     FROM unnest($2::text[]) AS searched (word), (VALUES (true), (false)) AS part (archived)`,
    [leads[0], words],
  );
  expect(rows).toHaveLength(2 * words.length);
  for (const { word, archived, told, held } of rows) {
    expect({ word, archived, leads: Number(told) }).toEqual({ word, archived, leads: Number(held) });
  }
}

const countedWords = async (condition: string) => {
  const rows = await sql<{ word: string }>(
    gala.databaseUrl,
    `SELECT DISTINCT word, hashtext(word) FROM lead_word_counts WHERE workspace_id = $1 AND ${condition} ORDER BY 2 LIMIT 150`,
    [leads[0]],
  );
  return rows.map(({ word }) => word);
};

/** Changes of each kind, through the service and past it. */
async function changeLeads(round: number): Promise<void> {
  const made = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      createLead(client, { name: `Ana ${round}`, email: `z${n}@mail.example.com` }),
    ),
  );
  const path = (index: number) => `/v1/leads/${made[index]!.id}`;
  await Promise.all([
    ...[0, 1, 2].map((index) => client.patch(path(index), { name: 'ßq Bo' })),
    ...[3, 4, 5].map((index) => client.delete(path(index))),
    client.patch(path(6), { guests: 12 }),
    sql(gala.databaseUrl, `DELETE FROM leads WHERE workspace_id = $1 AND id = $2`, [
      leads[0],
      toUuid(made[7]!.id as LeadId),
    ]),
    sql(
      gala.databaseUrl,
      `UPDATE leads SET archived_at = CASE WHEN archived_at IS NULL THEN now() END
       WHERE workspace_id = $1 AND search_text LIKE '%x' || $2 || '%'`,
      [leads[0], `${round}7`],
    ),
  ]);
  await client.post(`${path(3)}/restore`);
}

test('what is counted and what was written down since are exact at any moment, while counting and adding up too', async () => {
  const progress = { isDone: false };
  const everything = (async () => {
    await countNow();
    await counting.addUp();
    await countNow();
  })().finally(() => (progress.isDone = true));
  for (let round = 0; !progress.isDone || round < 3; round++) await changeLeads(round % 10);
  await everything;
  expect(await countedWords(`word IN ('山', 'ßq', 'mail.example.com', 'ana')`)).toHaveLength(4);
  const words = [
    ...(await countedWords('length(word) < 3')),
    ...(await countedWords('length(word) > 2')),
    '山',
    'ßq',
    'ana',
  ];
  await expectExact([...words, 'qq', 'nobody']);
  await Promise.all([counting.addUp(), counting.addUp(), changeLeads(3)]);
  await expectExact(words);
  await counting.addUp();
  expect(await sql(gala.databaseUrl, 'SELECT FROM lead_word_changes')).toEqual([]);
  await expectExact(words);
});

test('counting waits for whoever began to write before', async () => {
  const other = await gala.createWorkspace();
  const owner: LeadList = [toUuid(other.id), 'live'];
  await onConnection(gala.databaseUrl, async (connection) => {
    await connection.query('BEGIN');
    await connection.query(
      `INSERT INTO leads SELECT $1, 'live', gen_random_uuid(), NULL, 'a@b.test', NULL, NULL, NULL, NULL, 'new_enquiry', '{}', NULL, now(), now(), 'ab'`,
      [owner[0]],
    );
    const counted = counting.count(owner, 1);
    const early = await Promise.race([
      counted.then(() => 'counted'),
      new Promise((resolve) => setTimeout(resolve, 700)),
    ]);
    expect(early).toBeUndefined();
    expect((await list(await other.client(), { q: 'ab' })).body.pagination.total).toBe(0);
    await connection.query('COMMIT');
    await counted;
  });
  expect(
    await sql(
      gala.databaseUrl,
      `SELECT leads::int FROM lead_word_counts WHERE workspace_id = $1 AND word = 'ab'`,
      [owner[0]],
    ),
  ).toEqual([{ leads: 1 }]);
  expect((await list(await other.client(), { q: 'ab' })).body.pagination.total).toBe(1);
});

test('a count that was interrupted is taken up, and what it finds late changes nothing', async () => {
  const counts = gala.app.get(WordCounts, { strict: false });
  const since = (await counts.claim(leads))!;
  expect(await counts.claim(leads)).toBeUndefined();
  await changeLeads(5);
  await counting.addUp();
  expect(await sql(gala.databaseUrl, 'SELECT FROM lead_word_changes')).not.toEqual([]);
  await sql(
    gala.databaseUrl,
    `UPDATE lead_word_lists SET counting_since = counting_since - interval '11 minutes'`,
  );
  await counting.addUp();
  expect(await sql(gala.databaseUrl, 'SELECT FROM lead_word_changes')).toEqual([]);
  await counts.keep(leads, since, {
    leads: 1,
    hasShortWords: true,
    words: [{ word: 'ana', archived: false, leads: 1, lead_ids: null }],
  });
  await expectExact(['ana', 'ßq', '山田']);
});

test('short words that were not counted are searched for the plain way', async () => {
  const flag = (value: boolean) =>
    sql(gala.databaseUrl, 'UPDATE lead_word_lists SET has_short_words = $1', [value]);
  const expected = (await list(client, { q: 'an' })).body;
  await sql(gala.databaseUrl, `DELETE FROM lead_word_counts WHERE length(word) < 3`);
  await flag(false);
  await changeLeads(6);
  await changeLeads(6);
  await counting.addUp();
  expect(await countedWords('length(word) < 3')).toEqual([]);
  const { pagination } = (await list(client, { q: 'an' })).body;
  expect(pagination.total).toBeGreaterThan(expected.pagination.total);
  await expectExact(['ana', 'mail.example.com']);
  await countNow();
  await expectExact(['an', 'ßq', '山']);
});

test('a word that is written again and again keeps its list', async () => {
  for (let time = 0; time < 3; time++) {
    for (const prefix of ['ß', 'þ']) {
      await sql(
        gala.databaseUrl,
        `UPDATE leads SET search_text = $2 || search_text WHERE workspace_id = $1 AND search_text LIKE '%7q@%'`,
        [leads[0], prefix],
      );
    }
    await sql(
      gala.databaseUrl,
      `INSERT INTO lead_word_changes (workspace_id, mode, lead_id, archived, search_text, difference)
      SELECT workspace_id, mode, lead_id, false, '7q', difference FROM lead_word_changes, generate_series(1, 9) AS n
      WHERE NOT archived`,
    );
    await counting.addUp();
  }
  const [listed] = await sql<{ ids: number }>(
    gala.databaseUrl,
    `SELECT cardinality(lead_ids) AS ids FROM lead_word_counts WHERE workspace_id = $1 AND word = '7q' AND NOT archived`,
    [leads[0]],
  );
  expect(listed!.ids).toBeGreaterThan(10);
  await expectExact(['7q', 'ßx']);
});

test('whoever began to write before a list was there to see is waited for', async () => {
  const counts = gala.app.get(WordCounts, { strict: false });
  const other = await gala.createWorkspace();
  await onConnection(gala.databaseUrl, (claiming) =>
    onConnection(gala.databaseUrl, async (writing) => {
      await claiming.query('BEGIN');
      await claiming.query(`INSERT INTO lead_word_lists (workspace_id, mode) VALUES ($1, 'live')`, [
        toUuid(other.id),
      ]);
      await writing.query('BEGIN');
      await writing.query('SELECT pg_current_xact_id()');
      await claiming.query('COMMIT');
      const horizon = await counts.horizon();
      expect(await counts.isThrough(horizon)).toBe(false);
      await writing.query('COMMIT');
      expect(await counts.isThrough(horizon)).toBe(true);
    }),
  );
});

test('more short words than can be counted are not counted, and searched for the plain way', async () => {
  await sql(
    gala.databaseUrl,
    `INSERT INTO leads SELECT $1, 'live', gen_random_uuid(), name, 'h@h.test', NULL, NULL, NULL, NULL, 'new_enquiry', '{}', NULL, now(), now(), name
     FROM (SELECT n, 'vj' || string_agg(chr(19968 + (n * 7919 + c * 104729 + n * c * 31) % 9000), '') AS name
       FROM generate_series(1, 1000) AS n, generate_series(1, 100) AS c GROUP BY n) AS made`,
    [leads[0]],
  );
  const total = async (q: string) => (await list(client, { q })).body.pagination.total;
  expect(await total('vj')).toBe(1000);
  await counting.addUp();
  expect(await total('vj')).toBe(1000);
  await countNow();
  expect(await total('vj')).toBe(1000);
  expect(await total('ana')).toBeGreaterThan(1000);
  await sql(gala.databaseUrl, `DELETE FROM leads WHERE workspace_id = $1 AND search_text LIKE 'vj%'`, [
    leads[0],
  ]);
  await counting.addUp();
  await countNow();
  expect(await total('vj')).toBe(0);
  await expectExact(['an', 'zq', '山', 'ana']);
});

test('large lists are counted when they were not, when they have doubled, and a day later', async () => {
  const dueNow = async () =>
    (await gala.app.get(WordCounts, { strict: false }).due(20_000)).map(({ list: [id] }) => id === leads[0]);
  const set = (assignment: string) =>
    sql(gala.databaseUrl, `UPDATE lead_word_lists SET ${assignment} WHERE workspace_id = $1`, [leads[0]]);
  await countNow();
  expect(await dueNow()).toEqual([]);
  await set(`counted_at = now() - interval '25 hours'`);
  expect(await dueNow()).toEqual([true]);
  await set(`counted_at = now(), leads = 11000`);
  expect(await dueNow()).toEqual([true]);
  await counting.countDue();
  expect(await dueNow()).toEqual([]);
  await set('counted_at = NULL');
  expect(await dueNow()).toEqual([true]);
  await counting.countDue();
});
