import { toUuid } from '../../src/kernel/ids';
import type { LeadList } from '../../src/modules/leads/infrastructure/word-counts/word-counts';
import { WordCounting } from '../../src/modules/leads/infrastructure/word-counts/word-counting';
import { WordSearch } from '../../src/modules/leads/infrastructure/word-counts/word-search';
import type { Client } from '../support/http-client';
import { createLead, type LeadBody, list, type Parameters, walkCursor, walkPages } from '../support/leads';
import { insertLeads } from '../support/many-leads';
import { planOf, type PlanNode, statementOf } from '../support/plans';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';

jest.setTimeout(180_000);

const SIZE = 24_000;
let gala: TestGala;
let client: Client;
let counting: WordCounting;
let leads: LeadList;
beforeAll(async () => {
  gala = await startGala();
  counting = gala.app.get(WordCounting, { strict: false });
  const workspace = await gala.createWorkspace();
  client = await workspace.client();
  leads = [toUuid(workspace.id), 'live'];
  await insertLeads(gala.databaseUrl, leads, SIZE);
  await counting.count(leads, SIZE);
  for (let n = 0; n < 5; n++) await createLead(client, { name: 'ßq Bo', email: `z${n}@mail.example.com` });
});
afterAll(() => gala.stop());

const SEARCHES: Parameters[] = [
  ...[
    'ana',
    'mail.example.com',
    '山田',
    '山',
    'q',
    '7q',
    'ßq',
    'qx',
    '%',
    'an',
    '@',
    'x1234',
    'com mail',
    'nowhere',
  ].map((q) => ({ q })),
  { q: 'ANA', archived: 'true' },
  { q: 'ana', archived: 'all', sort: 'name' },
  { q: 'q@', archived: 'all' },
  // Not met where the walk begins.
  { q: '山田', sort: 'name' },
  { q: 'x23', sort: 'createdAt' },
  { q: 'bo', page: 7, limit: 3, sort: 'updatedAt' },
  { q: 'ana', stage: 'lost' },
  { q: 'ana', createdBefore: '2026-01-02T00:00:00Z' },
];

test.each(SEARCHES)('a search finds the same where words are counted: %p', async (search) => {
  const counted = jest.spyOn(gala.app.get(WordSearch, { strict: false }), 'wayTo');
  await createLead(client, { name: 'ßq Ana' });
  const { status, body } = await list(client, search);
  expect(status).toBe(200);
  counted.mockResolvedValue(undefined);
  expect((await list(client, search)).body).toEqual(body);
  counted.mockRestore();
});

test('lists of counted words are walked to their end, by pages and by cursors', async () => {
  for (const q of ['7q', 'ßq', 'x23', 'bo']) {
    const { total } = (await list(client, { q })).body.pagination;
    expect(total).toBeGreaterThan(3);
    const pages = await walkPages(client, { q, limit: 100, sort: 'name' });
    expect(pages).toHaveLength(total);
    const cursors = await walkCursor(client, { q, limit: 100, sort: 'name' });
    expect(cursors.map(({ id }: LeadBody) => id)).toEqual(pages.map(({ id }) => id));
  }
});

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

test.each(['ana', 'mail.example.com', 'x', 'an', '7q', 'qx', 'bo'])(
  'the cost of a search for "%s" does not grow with how many leads hold it',
  async (q) => {
    await sql(gala.databaseUrl, 'VACUUM (ANALYZE) leads, lead_word_counts, lead_word_changes');
    const inOtherOrder: Parameters = { q, sort: 'updatedAt' };
    for (const parameters of [{ q }, inOtherOrder, { q, archived: 'true' }]) {
      const statement = await statementOf(gala, () => list(client, parameters));
      const nodes = nodesOf(await planOf(gala, statement, { mode: 'force_custom_plan' }));
      const read = nodes
        .filter((node) => node['Relation Name'] === 'leads')
        .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']);
      expect(Math.max(0, ...read)).toBeLessThanOrEqual(1000);
      expect(
        nodes.filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'leads'),
      ).toEqual([]);
    }
  },
);

test.each([
  [{ isListed: false, within: 30_000 }, 'ana', 'DELETE FROM lead_word_counts'],
  [{ isListed: true }, '7q', 'UPDATE lead_word_counts SET lead_ids = NULL'],
  [{ isListed: true }, '7q', 'UPDATE lead_word_lists SET has_short_words = false'],
  [{ isListed: false, within: 30_000 }, 'an', 'UPDATE lead_word_lists SET has_short_words = false'],
] as const)(
  'a search is made the plain way when its word can’t be found otherwise any more: %p',
  async (way, q, meanwhile) => {
    const expected = (await list(client, { q })).body;
    const wayTo = jest.spyOn(gala.app.get(WordSearch, { strict: false }), 'wayTo').mockResolvedValue(way);
    await sql(gala.databaseUrl, 'CREATE TABLE kept AS TABLE lead_word_counts');
    await sql(gala.databaseUrl, meanwhile);
    const { body } = await list(client, { q });
    await sql(gala.databaseUrl, 'DELETE FROM lead_word_counts');
    await sql(gala.databaseUrl, 'INSERT INTO lead_word_counts TABLE kept');
    await sql(gala.databaseUrl, 'DROP TABLE kept');
    await sql(gala.databaseUrl, 'UPDATE lead_word_lists SET has_short_words = true');
    expect(wayTo).toHaveBeenCalled();
    wayTo.mockRestore();
    expect(body).toEqual(expected);
  },
);

describe('leads that hold a word where others end', () => {
  beforeAll(async () => {
    // The old ones, the archived ones and those without a name hold it; nobody else does.
    await sql(
      gala.databaseUrl,
      `INSERT INTO leads SELECT $1, 'live', gen_random_uuid(), CASE WHEN n % 2 = 0 THEN 'Zq ' || n END, 'zq' || n || '@h.test', NULL,
         CASE WHEN n % 3 = 0 THEN date '2030-01-01' + n END, NULL, NULL, 'new_enquiry', '{}', CASE WHEN n % 4 = 0 THEN now() END,
         timestamptz '2020-01-01' + n * interval '1 minute', now(), concat_ws(E'\\n', CASE WHEN n % 2 = 0 THEN 'zq ' || n END, 'zq' || n || '@h.test')
       FROM generate_series(1, 7000) AS n`,
      [leads[0]],
    );
    await sql(gala.databaseUrl, 'ANALYZE leads');
    await counting.count(leads, SIZE);
  });

  const orders = ['createdAt', 'updatedAt', 'eventDate', 'name'].flatMap((field) => [field, `-${field}`]);
  test.each(orders.flatMap((sort) => ['false', 'true', 'all'].map((archived) => [sort, archived] as const)))(
    'are found in their order: %s, archived=%s',
    async (sort, archived) => {
      for (const q of ['zq', 'zq1', 'zq1234', 'h.test', 'h']) {
        const search: Parameters = { q, sort, archived };
        for (const place of [{}, { page: 3 }] as Parameters[]) {
          const { body } = await list(client, { ...search, ...place });
          const { nextCursor } = body.pagination;
          const next = nextCursor && (await list(client, { ...search, cursor: nextCursor })).body;
          const wayTo = jest
            .spyOn(gala.app.get(WordSearch, { strict: false }), 'wayTo')
            .mockResolvedValue(undefined);
          expect((await list(client, { ...search, ...place })).body).toEqual(body);
          if (next) expect((await list(client, { ...search, cursor: nextCursor })).body).toEqual(next);
          wayTo.mockRestore();
        }
      }
    },
  );
});
