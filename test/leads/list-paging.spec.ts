import type { Client } from '../support/http-client';
import { createLead, type LeadBody, list, type Parameters } from '../support/leads';
import { expectInvalid } from '../support/refusals';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let leads: LeadBody[];
beforeAll(async () => {
  gala = await startGala();
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  leads = [];
  for (let index = 0; index < 7; index++) {
    leads.push(
      await createLead(client, { name: `Lead ${index}`, stage: index < 3 ? 'visit_booked' : 'lost' }),
    );
  }
});
afterAll(() => gala.stop());

const newestFirst = () => [...leads].reverse().map(({ id }) => id);
const idsOf = (data: LeadBody[]) => data.map(({ id }) => id);

describe('pages', () => {
  test('without parameters: the first 20, newest first', async () => {
    const { status, body } = await client.get('/v1/leads');
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['data', 'pagination']);
    expect(idsOf(body.data)).toEqual(newestFirst());
    expect(body.pagination).toEqual({
      page: 1,
      limit: 20,
      total: 7,
      pages: 1,
      hasNext: false,
      hasPrev: false,
      nextCursor: null,
    });
  });

  test('items are whole leads', async () => {
    const { body } = await list(client);
    expect(body.data).toEqual([...leads].reverse());
  });

  test('follow each other without a gap, with numbers that fit', async () => {
    const seen: string[] = [];
    for (let page = 1; page <= 4; page++) {
      const { data, pagination } = (await list(client, { limit: 2, page })).body;
      seen.push(...idsOf(data));
      expect(pagination).toMatchObject({
        page,
        limit: 2,
        total: 7,
        pages: 4,
        hasNext: page < 4,
        hasPrev: page > 1,
      });
      expect(pagination.nextCursor === null).toBe(page === 4);
    }
    expect(seen).toEqual(newestFirst());
  });

  test('count the filtered set', async () => {
    const pages = [];
    for (const page of [1, 2, 3])
      pages.push((await list(client, { stage: 'visit_booked', limit: 2, page })).body);
    expect(pages.map(({ data }) => data.length)).toEqual([2, 1, 0]);
    expect(pages.map(({ pagination }) => pagination.total)).toEqual([3, 3, 3]);
    expect(pages.map(({ pagination }) => pagination.pages)).toEqual([2, 2, 2]);
    expect(pages.map(({ pagination }) => pagination.hasNext)).toEqual([true, false, false]);
    expect(pages.map(({ pagination }) => pagination.hasPrev)).toEqual([false, true, true]);
  });

  test.each([2, 8, 1_000_000, 1_000_000_000])(
    'page %d past the end is empty, with the total',
    async (page) => {
      const { status, body } = await list(client, { page });
      expect(status).toBe(200);
      expect(body.data).toEqual([]);
      expect(body.pagination).toEqual({
        page,
        limit: 20,
        total: 7,
        pages: 1,
        hasNext: false,
        hasPrev: true,
        nextCursor: null,
      });
    },
  );

  test.each<Parameters>([{}, { page: 5 }, { stage: 'confirmed' }])(
    'of an empty workspace: no pages at all (%j)',
    async (parameters) => {
      const empty = await (await gala.createWorkspace()).client();
      const { status, body } = await list(empty, parameters);
      expect(status).toBe(200);
      expect(body.data).toEqual([]);
      expect(body.pagination).toMatchObject({
        total: 0,
        pages: 0,
        hasNext: false,
        hasPrev: false,
        nextCursor: null,
      });
    },
  );

  test('the last page may be exactly full', async () => {
    const { data, pagination } = (await list(client, { limit: 7 })).body;
    expect(data).toHaveLength(7);
    expect(pagination).toMatchObject({ pages: 1, hasNext: false, nextCursor: null });
  });
});

describe('page sizes', () => {
  let many: Client;
  beforeAll(async () => {
    many = await (await gala.createWorkspace()).client();
    await Promise.all(Array.from({ length: 101 }, () => createLead(many)));
  });

  test.each([
    ['1', 1],
    ['20', 20],
    ['99', 99],
    ['100', 100],
    ['101', 100],
    ['1000000', 100],
    ['9'.repeat(30), 100],
    ['9'.repeat(400), 100],
  ])('limit=%s gives pages of %d', async (limit, size) => {
    const { status, body } = await list(many, { limit });
    expect(status).toBe(200);
    expect(body.data).toHaveLength(size);
    expect(body.pagination).toMatchObject({
      limit: size,
      total: 101,
      pages: Math.ceil(101 / size),
      hasNext: true,
    });
  });

  test('pages of the size in use follow each other', async () => {
    const { body } = await list(many, { limit: 1_000_000, page: 2 });
    expect(body.data).toHaveLength(1);
    expect(body.pagination).toMatchObject({ page: 2, limit: 100, hasNext: false, hasPrev: true });
  });
});

describe('what is no page or size is refused', () => {
  const wrong = [
    '0',
    '-1',
    '-0',
    '1.0',
    '1.5',
    '1e1',
    '0x1',
    '01',
    '+1',
    ' 1',
    '1 ',
    'one',
    '',
    ' ',
    '１',
    '١',
    'NaN',
    'Infinity',
    '1,2',
    '[1]',
  ];
  test.each(wrong)('page=%j', async (page) => expectInvalid(await list(client, { page }), 'page'));
  test.each(wrong)('limit=%j', async (limit) => expectInvalid(await list(client, { limit }), 'limit'));
  test.each(['1000000001', '9'.repeat(30)])('page=%s, which lies beyond any list', async (page) =>
    expectInvalid(await list(client, { page }), 'page'),
  );
});

describe('parameters', () => {
  const known = [
    'page',
    'limit',
    'cursor',
    'sort',
    'stage',
    'email',
    'tag',
    'source',
    'eventDateFrom',
    'eventDateTo',
  ];
  const more = ['createdAfter', 'createdBefore', 'updatedAfter', 'archived', 'q'];

  test.each([...known, ...more])('%s: blank or repeated is refused', async (name) => {
    for (const query of [name, `${name}=`, `${name}=%20`, `${name}=%09+`]) {
      expectInvalid(await client.get(`/v1/leads?${query}`), name);
    }
    expectInvalid(await client.get(`/v1/leads?${name}=1&${name}=1`), name);
    expectInvalid(
      await client.get(`/v1/leads?${name}=1&limit=5&${name}=2`.replace('limit=5&limit', 'sort=name&limit')),
      name,
    );
  });

  test.each([
    'colour',
    'Stage',
    'per_page',
    'offset',
    'stage[]',
    'page[number]',
    'apiKey',
    'access_token',
    '__proto__',
    'constructor',
    'toString',
  ])('%s is unknown and refused: a filter that is ignored returns everyone', async (name) =>
    expectInvalid(await client.get(`/v1/leads?${encodeURIComponent(name)}=lost`), name),
  );

  test('a parameter may be spelt percent-encoded', async () => {
    expect((await client.get('/v1/leads?%73tage=vis%69t_booked')).body.pagination.total).toBe(3);
  });

  test('empty pairs are no parameters', async () => {
    expect((await client.get('/v1/leads?')).body.pagination.total).toBe(7);
    expect((await client.get('/v1/leads?&&stage=lost&')).body.pagination.total).toBe(4);
  });

  test.each(['%', '%F', '%FF', '%ED%A0%80', '%C0%80'])(
    '%s can’t be decoded and is a bad request',
    async (text) => {
      for (const query of [`q=${text}`, `${text}=x`]) {
        const answer = await client.get(`/v1/leads?${query}`);
        expect({ status: answer.status, code: answer.body.error.code }).toEqual({
          status: 400,
          code: 'bad_request',
        });
      }
    },
  );

  test.each([...known, ...more])('%s: a NUL is refused', async (name) => {
    expectInvalid(await client.get(`/v1/leads?${name}=a%00b`), name);
  });

  test('all offenders are named', async () => {
    const answer = await client.get('/v1/leads?page=0&limit=x&stage=won&email=&colour=red');
    expectInvalid(answer, 'email');
    const fields = answer.body.error.details.map(({ field }: { field: string }) => field);
    expect(fields.sort()).toEqual(['colour', 'email', 'limit', 'page', 'stage']);
  });
});
