import fc from 'fast-check';
import { storableText } from '../support/arbitraries';
import type { Client } from '../support/http-client';
import { expectInvalid } from '../support/refusals';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  client = await (await gala.createWorkspace()).client();
});
afterAll(() => gala.stop());

const create = (fields: object) => client.post('/v1/leads', { email: 'ana@example.com', ...fields });
const padded = (number: number, width: number) => String(number).padStart(width, '0');

describe('event dates', () => {
  test.each([
    '2027-06-12',
    '2028-02-29',
    '2000-02-29',
    '1900-01-01',
    '1900-02-28',
    '9999-12-31',
    '2027-12-31',
    '2027-04-30',
  ])('%s is a day and comes back as that text', async (eventDate) => {
    const created = await create({ eventDate });
    expect(created.body.eventDate).toBe(eventDate);
    expect((await client.get(`/v1/leads/${created.body.id}`)).body.eventDate).toBe(eventDate);
  });

  test.each([
    '2027-02-29',
    '2027-02-30',
    '2100-02-29',
    '1900-02-29',
    '2027-04-31',
    '2027-13-01',
    '2027-00-10',
    '2027-01-00',
    '2027-01-32',
    '1899-12-31',
    '0000-01-01',
    '0001-01-01',
    '10000-01-01',
    '-2027-01-01',
    '+002027-01-01',
    '2027',
    '2027-06',
    '2027-W10',
    '2027-W10-1',
    '2027-163',
    '20270612',
    '2027-6-1',
    '27-06-12',
    ' 2027-06-12',
    '2027-06-12 ',
    '2027-06-12\n',
    '2027/06/12',
    '12/06/2027',
    '12.06.2027',
    '2027-06-12T00:00:00Z',
    '2027-06-12Z',
    '2027‐06‐12',
    '２０２７-06-12',
    '2027-06-1２',
    'today',
    'infinity',
    'epoch',
    '',
    ' ',
  ])('%j is refused', async (eventDate) => expectInvalid(await create({ eventDate }), 'eventDate'));

  test('whatever numbers a date is made of, it is taken exactly when that day exists', async () => {
    const date = fc.tuple(
      fc.oneof(fc.integer({ min: 1890, max: 2110 }), fc.integer({ min: 0, max: 10_010 })),
      fc.integer({ min: 0, max: 14 }),
      fc.oneof(fc.integer({ min: 27, max: 33 }), fc.integer({ min: 0, max: 33 })),
    );
    await fc.assert(
      fc.asyncProperty(date, async ([year, month, day]) => {
        const eventDate = `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
        const instant = new Date(Date.UTC(year, month - 1, day));
        const exists =
          instant.getUTCFullYear() === year &&
          instant.getUTCMonth() === month - 1 &&
          instant.getUTCDate() === day;
        const answer = await create({ eventDate });
        if (exists && year >= 1900 && year <= 9999) expect(answer.body.eventDate).toBe(eventDate);
        else expectInvalid(answer, 'eventDate');
      }),
      { numRuns: 120 },
    );
  });
});

describe('tags', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `tag ${index}`);

  test('keep their order; of duplicates the first stays', async () => {
    const tags = ['vip', 'garden', 'vip', 'VIP', ' vip', 'garden'];
    expect((await create({ tags })).body.tags).toEqual(['vip', 'garden', ' vip']);
  });

  test('look-alikes that differ in their characters stay different', async () => {
    const tags = ['é', 'e', 'ß', 'SS', 'ſ', 's'];
    expect((await create({ tags })).body.tags).toEqual(tags);
  });

  test('one tag in several spellings is one, stored as it comes first', async () => {
    const tags = ['cafe\u0301', 'café', 'CAFÉ', 'bar', 'Cafe\u0301'];
    expect((await create({ tags })).body.tags).toEqual(['cafe\u0301', 'bar']);
    const spellings = many(50).flatMap((tag) => [`ë ${tag}`, `e\u0308 ${tag}`, `Ë ${tag}`]);
    expect((await create({ tags: spellings })).body.tags).toEqual(many(50).map((tag) => `ë ${tag}`));
  });

  test('50 different ones are the most, counted after dropping duplicates', async () => {
    expect((await create({ tags: many(50) })).body.tags).toEqual(many(50));
    expect((await create({ tags: [...many(50), ...many(50)] })).body.tags).toEqual(many(50));
    expectInvalid(await create({ tags: many(51) }), 'tags');
    expectInvalid(await create({ tags: many(10_000) }), 'tags');
  });

  test('have 1 to 50 code points each', async () => {
    const longest = '😀'.repeat(50);
    expect((await create({ tags: ['x', longest] })).body.tags).toEqual(['x', longest]);
    expectInvalid(await create({ tags: ['x', `${longest}x`] }), 'tags');
    expectInvalid(await create({ tags: ['x'.repeat(10_000)] }), 'tags');
  });

  test.each([[['']], [[' ']], [['vip', '\u3000']], [['a\u0000']], [['\ud800']], [[{}]], [[true]]])(
    '%j is refused, by the name of the list',
    async (tags) => {
      const answer = await create({ tags });
      expect(answer.status).toBe(422);
      expect(answer.body.error.field).toMatch(/^tags/);
    },
  );

  test('an empty list is no tags', async () => expect((await create({ tags: [] })).body.tags).toEqual([]));

  test('any texts come back as they were given, each once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(storableText(50), { maxLength: 12 }), async (tags) => {
        const created = await create({ tags });
        expect(created.body.tags).toEqual([...new Set(tags)]);
        expect((await client.get(`/v1/leads/${created.body.id}`)).body.tags).toEqual([...new Set(tags)]);
      }),
      { numRuns: 40 },
    );
  });

  test('texts that an array literal of the database would take apart come back whole', async () => {
    const tags = ['NULL', '{}', '{a,b}', '"', '\\', ',', "'", 'a"b\\c', '{"a"}'];
    for (const given of [tags, ['null']]) expect((await create({ tags: given })).body.tags).toEqual(given);
  });
});
