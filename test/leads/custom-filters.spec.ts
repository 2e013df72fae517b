import fc from 'fast-check';
import { storableText } from '../support/arbitraries';
import { addEveryType, addField } from '../support/fields';
import type { Client } from '../support/http-client';
import { createLead, list, namesIn, walkCursor } from '../support/leads';
import { expectInvalid } from '../support/refusals';
import { foldText } from '../../src/kernel/text';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  client = await (await gala.createWorkspace()).client();
  await addEveryType(client);
  await createLead(client, {
    name: 'Ana',
    custom: {
      text: 'Zoë’s “Party”\\',
      long_text: 'ΟΔΥΣΣΕΥΣ',
      integer: 12,
      decimal: 0.0000001,
      boolean: true,
      date: '2027-06-12',
      datetime: '2027-06-12T16:00:00Z',
      url: 'https://Example.com/Menu',
      select: 'Great hall',
      multi_select: ['garden', 'Great hall'],
    },
  });
  await createLead(client, {
    name: 'Ben',
    custom: { integer: 12, boolean: false, multi_select: ['garden'], decimal: -12.5 },
  });
  await createLead(client, { name: 'Eva' });
  // In JSON, the letters of such escapes would become one character with the accents.
  await createLead(client, { name: 'Ian', custom: { text: '\r\u0301 \f\u0327', multi_select: ['terrace'] } });
});
afterAll(() => gala.stop());

test.each<[Record<string, string>, string[]]>([
  [{ text: 'ZOE\u0308’s “PARTY”\\' }, ['Ana']],
  [{ text: 'Zoë' }, []],
  [{ long_text: 'Οδυσσευς' }, ['Ana']],
  [{ integer: '12' }, ['Ben', 'Ana']],
  [{ integer: '12.0' }, ['Ben', 'Ana']],
  [{ integer: '-0' }, []],
  [{ decimal: '0.0000001' }, ['Ana']],
  [{ decimal: '-12.50' }, ['Ben']],
  [{ boolean: 'true' }, ['Ana']],
  [{ boolean: 'false' }, ['Ben']],
  [{ date: '2027-06-12' }, ['Ana']],
  [{ datetime: '2027-06-12T18:00:00+02:00' }, ['Ana']],
  [{ url: 'HTTPS://example.com/menu' }, ['Ana']],
  [{ select: 'GREAT HALL' }, ['Ana']],
  [{ select: 'garden' }, []],
  [{ multi_select: 'garden' }, ['Ben', 'Ana']],
  [{ multi_select: 'great hall' }, ['Ana']],
  [{ integer: '12', boolean: 'true' }, ['Ana']],
  [{ text: '\r\u0301 \f\u0327' }, ['Ian']],
  [{ text: '\r\u0301 \f\u0327', multi_select: 'TERRACE' }, ['Ian']],
  [{ text: 'ŕ ç' }, []],
])('leads with %j', async (values, names) => {
  const filters = Object.fromEntries(Object.entries(values).map(([key, value]) => [`custom.${key}`, value]));
  expect(await namesIn(client, filters)).toEqual(names);
  const { data, pagination } = (await list(client, filters)).body;
  expect(pagination).toMatchObject({ total: names.length, hasNext: false });
  expect(data).toHaveLength(names.length);
});

test.each<[string, string, string]>([
  ['custom.nonsense=1', 'custom.nonsense', 'not a custom field'],
  ['custom.integer=1.5', 'custom.integer', 'integer'],
  ['custom.integer=1e1', 'custom.integer', 'integer'],
  ['custom.boolean=yes', 'custom.boolean', 'true or false'],
  ['custom.date=12.06.2027', 'custom.date', 'YYYY-MM-DD'],
  ['custom.datetime=2027-06-12T18:00:00+02:00', 'custom.datetime', '%2B'],
  ['custom.select=cellar', 'custom.select', 'garden, Great hall, terrace'],
  ['custom.text=', 'custom.text', 'blank'],
  ['custom.text=%20', 'custom.text', 'blank'],
  ['custom.text=a&custom.text=b', 'custom.text', 'only once'],
  ['custom.text=%00', 'custom.text', 'U+0000'],
  ['custom=text', 'custom', 'followed by a dot'],
  ['custom=text&custom.text=a', 'custom.text', 'known field'],
  ['custom.=a', 'custom.', 'known field'],
  ['custom.__proto__=a', 'custom.__proto__', 'known field'],
  ['custom.constructor=a', 'custom.constructor', 'known field'],
  ['customtext=a', 'customtext', 'known field'],
])('the filter ?%s is refused', async (query, field, message) => {
  const answer = await client.get(`/v1/leads?${query}`);
  expectInvalid(answer, field);
  expect(answer.body.error.message).toContain(message);
});

test('every problem of a query is named, and other lists have no such filter', async () => {
  const { body } = await client.get('/v1/leads?custom.integer=x&guests=1&limit=0&custom.other=1');
  expect(body.error.details.map(({ field }: { field: string }) => field).sort()).toEqual([
    'custom.integer',
    'custom.other',
    'guests',
    'limit',
  ]);
  expectInvalid(await client.get('/v1/spaces?custom.integer=1'), 'custom.integer');
});

test('a filtered list is walked by cursor, which goes with its filter', async () => {
  const leads = await walkCursor(client, { 'custom.integer': '12', limit: 1 });
  expect(leads.map(({ name }) => name)).toEqual(['Ben', 'Ana']);
  const { nextCursor } = (await list(client, { 'custom.integer': '12', limit: 1 })).body.pagination;
  expectInvalid(await list(client, { 'custom.integer': '13', limit: 1, cursor: nextCursor }), 'cursor');
});

test('any text is found by itself in any case, and by nothing else', async () => {
  const other = await (await gala.createWorkspace()).client();
  await addField(other, 'note');
  const path = `/v1/leads/${(await createLead(other)).id}`;
  await fc.assert(
    fc.asyncProperty(storableText(40), storableText(40), async (text, sought) => {
      const stored = await other.patch(path, { custom: { note: text } });
      expect(stored.body.custom.note).toBe(text);
      for (const word of [text, foldText(text), text.normalize('NFD'), sought]) {
        if (word.trim() === '') continue;
        const { status, body } = await list(other, { 'custom.note': word });
        expect({ word, status }).toEqual({ word, status: 200 });
        expect({ word, found: body.data.length }).toEqual({
          word,
          found: Number(foldText(word) === foldText(text)),
        });
      }
    }),
    { numRuns: 60 },
  );
});
