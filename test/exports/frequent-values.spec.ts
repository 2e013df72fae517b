import { toUuid } from '../../src/kernel/ids';
import { type LeadFilter, LeadReader } from '../../src/modules/leads/application/lead-queries';
import { addField } from '../support/fields';
import type { Client } from '../support/http-client';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { rowsOf } from './support';

/** More than a search finds again for each part of an export. */
const FREQUENT = 10_300;
const OTHERS = 900;

jest.setTimeout(120_000);

let gala: TestGala;
let client: Client;
let ids: string[];
beforeAll(async () => {
  gala = await startGala();
  const workspace = await gala.createWorkspace();
  client = await workspace.client();
  await addField(client, 'room');
  await addField(client, 'menus', {
    type: 'multi_select',
    options: ['Fish', 'Meat'].map((value) => ({ value, label: value })),
  });
  await sql(
    gala.databaseUrl,
    `INSERT INTO leads (workspace_id, mode, id, name, email, stage, tags, custom, created_at, updated_at, search_text)
     SELECT $1, 'live', gen_random_uuid(), name, email, 'new_enquiry', tags,
       CASE WHEN is_frequent THEN '{"room": "Zoë’s Hall", "menus": ["Fish", "Meat"]}' ELSE '{"room": "Cellar"}' END::jsonb,
       date_trunc('milliseconds', now()), date_trunc('milliseconds', now()),
       fold_text(concat_ws(E'\\n', name, email, tags[1]))
     FROM (
       SELECT 'lead' || n || '@example.com' AS email, n > $3 AS is_frequent,
         CASE WHEN n > $3 THEN 'Party of Zoë' ELSE 'Party of Ana' END AS name,
         ARRAY[CASE WHEN n > $3 THEN 'Family' ELSE 'Company' END] AS tags
       FROM generate_series(1, $2::int) AS n
     ) AS made`,
    [toUuid(workspace.id), FREQUENT + OTHERS, OTHERS],
  );
  ids = rowsOf((await client.get('/v1/exports/leads?format=jsonl')).text).map(({ id }) => id as string);
});
afterAll(() => gala.stop());
afterEach(() => jest.restoreAllMocks());

/** Exports by a filter, and counts the parts that were read with the search and without it. */
async function exported(filter: string) {
  const list = jest.spyOn(gala.app.get(LeadReader, { strict: false }), 'list');
  const rows = rowsOf((await client.get(`/v1/exports/leads?format=jsonl&${encodeURI(filter)}`)).text);
  const filters = list.mock.calls.map(([, given]): LeadFilter => given);
  const searches = filters.filter(({ words, tag, custom }) => words ?? tag ?? custom);
  return { rows, searches: searches.length, walked: filters.length - searches.length };
}

test.each(['custom.room=ZOE\u0308’s hall', 'custom.menus=meat', 'tag=FAMILY', 'q=zoë party'])(
  'what many leads have is looked for while all are read, part by part: %s',
  async (filter) => {
    const { rows, searches, walked } = await exported(filter);
    expect(rows).toHaveLength(FREQUENT);
    expect(rows.every(({ name }) => name === 'Party of Zoë')).toBe(true);
    const found = new Set(rows.map(({ id }) => id as string));
    expect(rows.map(({ id }) => id as string)).toEqual(ids.filter((id) => found.has(id)));
    expect({ searches, walked }).toEqual({ searches: 0, walked: Math.ceil((FREQUENT + OTHERS) / 500) });
  },
);

test.each(['custom.room=cellar', 'tag=company', 'q=ana'])(
  'what few leads have is searched for, and no other lead is read: %s',
  async (filter) => {
    const { rows, searches, walked } = await exported(filter);
    expect(rows).toHaveLength(OTHERS);
    expect(rows.every(({ name }) => name === 'Party of Ana')).toBe(true);
    expect({ searches, walked }).toEqual({ searches: 2, walked: 0 });
  },
);

test('several conditions must all be met', async () => {
  const all = await exported('custom.room=zoë’s hall&custom.menus=fish&tag=family&q=zoë');
  expect(all.rows).toHaveLength(FREQUENT);
  expect((await exported('custom.menus=fish&tag=company')).rows).toEqual([]);
});
