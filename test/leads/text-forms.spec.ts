import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { foldText } from '../../src/kernel/text';
import { storableText } from '../support/arbitraries';
import type { Client } from '../support/http-client';
import { createLead, list } from '../support/leads';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';

jest.setTimeout(120_000);

let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  client = await (await gala.createWorkspace()).client();
});
afterAll(() => gala.stop());

type LeadWithText = (text: string) => Parameters<typeof createLead>[1];
const tagged: LeadWithText = (text) => ({ tags: ['first', text] });
const from: LeadWithText = (text) => ({ source: text });
/** Filters on what people write, with a lead that one finds. */
const TEXT_FILTERS: Record<string, LeadWithText> = {
  'leads email': (text) => ({ email: text }),
  'leads tag': tagged,
  'leads source': from,
  'leads q': (text) => ({ name: `Ana ${text}` }),
};
/** How many leads an answer of a report counts. */
const COUNTED: Record<string, (body: any) => number> = {
  'reports/funnel': (body) => body.stages[0].entered,
  'reports/outcomes': (body) => body.total.created,
  'reports/responses': (body) => body.total.leads,
  'reports/unanswered': (body) => body.data.length,
};
const REPORT_FILTERS = Object.keys(COUNTED).flatMap((report) => [
  [report, 'tag', tagged] as const,
  [report, 'source', from] as const,
]);
/** Texts that the service or another system made, or that the service knows the list of. */
const IDENTIFIERS = ['after', 'cursor', 'externalId', 'group', 'leadId', 'stage', 'token', 'type', 'types'];

interface Parameter {
  in: string;
  name: string;
  schema: { type: string; enum?: string[]; pattern?: string; format?: string };
}

test('every filter on free text in the API is one of those tested here', () => {
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    paths: Record<string, { get?: { parameters?: Parameter[] } }>;
  };
  const isText = ({ schema: { type, enum: values, pattern, format } }: Parameter) =>
    type === 'string' && !values && (!pattern || pattern === '\\S') && (!format || format === 'idn-email');
  // Exports read with the lists' readers.
  const lists = Object.entries(paths).filter(([path]) => !path.startsWith('/v1/exports/'));
  const filters = lists.flatMap(([path, { get }]) =>
    (get?.parameters ?? [])
      .filter((parameter) => parameter.in === 'query' && isText(parameter))
      .filter(({ name }) => !IDENTIFIERS.includes(name))
      .map(({ name }) => `${path.replace('/v1/', '')} ${name}`),
  );
  const ofReports = REPORT_FILTERS.map(([report, name]) => `${report} ${name}`);
  expect(filters.sort()).toEqual([...Object.keys(TEXT_FILTERS), ...ofReports].sort());
});

const SPELLINGS = [
  ['Zoë', 'Zoe\u0308', 'ZOË', 'ZOE\u0308', 'zoë'],
  ['café', 'cafe\u0301', 'CAFÉ'],
  ['ΣΊΣΥΦΟΣ', 'σίσυφος', 'σι\u0301συφοσ', 'Σίσυφος'],
  ['İzmir', 'I\u0307zmir', 'i\u0307zmir'],
  ['Việt', 'Vie\u0323\u0302t', 'Vie\u0302\u0323t', 'VIỆT'],
  ['Ångström', 'A\u030angstro\u0308m', '\u212bngström'],
  ['한글', '한글'.normalize('NFD')],
];

describe.each(Object.keys(TEXT_FILTERS))('filter: %s', (filter) => {
  const name = filter.replace('leads ', '');
  const isEmail = name === 'email';

  test.each(SPELLINGS.map((spellings) => [spellings]))(
    'finds each of %j by each other one, and gives it back as it was written',
    async (spellings) => {
      const unique = `${filter.length}x${spellings.length}${spellings[0]!.length}`;
      const texts = spellings.map((text) =>
        isEmail ? `${text}.${unique}@example.com` : `${text} ${unique}`,
      );
      const leads = [];
      for (const text of texts) leads.push(await createLead(client, TEXT_FILTERS[filter]!(text)));
      for (const [index, text] of texts.entries()) {
        expect(leads[index]).toMatchObject(TEXT_FILTERS[filter]!(text)!);
        const { body } = await list(client, { [name]: text, sort: 'createdAt' });
        expect(body.data).toEqual(leads);
        expect(body.pagination.total).toBe(leads.length);
      }
    },
  );
});

test.each(REPORT_FILTERS)('filter: %s %s counts leads by each spelling', async (report, name, lead) => {
  const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const period: Record<string, string> =
    report === 'reports/unanswered' ? {} : { from: dayAfter(-2), to: dayAfter(2) };
  for (const spellings of SPELLINGS) {
    const texts = spellings.map((text) => `${text} ${report}`);
    for (const text of texts) await createLead(client, lead(text));
    for (const text of texts) {
      const parameters = new URLSearchParams({ ...period, [name]: text });
      const { body } = await client.get(`/v1/${report}?${parameters}`);
      expect({ text, leads: COUNTED[report]!(body) }).toEqual({ text, leads: texts.length });
    }
  }
});

/** Letters that have several forms, between any others. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'İIıiſßςσΣǰΰéÅ\u212b\u0301\u0307\u0308\u0323가힣ЙйĲĳ'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((units) => units.join(''))
  // Longer forms of it have room in a tag, too.
  .filter((text) => text.trim() !== '' && !text.includes('\0') && [...text.normalize('NFD')].length <= 50);

test('whatever is written, tag, source and q find each form of it that folds to the same', async () => {
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const { id } = await createLead(client, { name: text, source: text, tags: [text] });
      const forms = [text.normalize('NFC'), text.normalize('NFD'), text.toLowerCase(), text.toUpperCase()];
      for (const form of new Set(forms.filter((one) => foldText(one) === foldText(text)))) {
        for (const name of ['tag', 'source', 'q']) {
          // White space separates words, so that each has to be found.
          const found = await list(client, { [name]: form });
          expect({ name, form, ids: found.body.data?.map((lead: { id: string }) => lead.id) }).toEqual({
            name,
            form,
            ids: expect.arrayContaining([id]),
          });
        }
      }
      await client.delete(`/v1/leads/${id}`);
    }),
    { numRuns: 60 },
  );
});

const everyCharacter = Array.from({ length: 0x10ffff }, (_, index) => index + 1)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  // The database may know letters that this Node doesn't.
  .filter((character) => /\P{Cn}/u.test(character));

test.each<[string, () => string[]]>([
  ['every character', () => everyCharacter],
  ['any text', () => fc.sample(fc.oneof(texts, storableText(20)), 3000)],
])('fold_text of the database is foldText: %s', async (_, generate) => {
  const given = generate();
  const rows = await sql<{ folded: string }>(
    gala.databaseUrl,
    'SELECT fold_text(given) AS folded FROM unnest($1::text[]) WITH ORDINALITY AS one (given, place) ORDER BY place',
    [given],
  );
  expect(rows).toHaveLength(given.length);
  const different = given.filter((text, index) => rows[index]!.folded !== foldText(text));
  expect(different).toEqual([]);
});
