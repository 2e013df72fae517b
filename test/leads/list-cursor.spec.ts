import { Clock } from '../../src/kernel/clock';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { createLead, type LeadBody, list, type Parameters, walkCursor } from '../support/leads';
import { expectInvalid } from '../support/refusals';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

jest.setTimeout(30_000);

const clock = new FakeClock();
let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});

const cursorOf = async (parameters: Parameters = {}): Promise<string> => {
  const { body } = await list(client, { limit: 1, ...parameters });
  expect(body.pagination.nextCursor).toEqual(expect.any(String));
  return body.pagination.nextCursor;
};
const add = (count: number, fields: Partial<LeadBody> = {}) =>
  Promise.all(
    Array.from({ length: count }, (_, index) => createLead(client, { name: `Lead ${index}`, ...fields })),
  );

describe('a cursor', () => {
  test('leads to the next part, whose pagination counts on', async () => {
    await add(5);
    const first = (await list(client, { limit: 2 })).body;
    const second = (await list(client, { limit: 2, cursor: first.pagination.nextCursor })).body;
    expect(second.pagination).toMatchObject({
      page: 2,
      limit: 2,
      total: 5,
      pages: 3,
      hasNext: true,
      hasPrev: true,
    });
    const third = (await list(client, { limit: 2, cursor: second.pagination.nextCursor })).body;
    expect(third.pagination).toMatchObject({ page: 3, hasNext: false, hasPrev: true, nextCursor: null });
    expect(third.data).toHaveLength(1);
  });

  test('can be used again, and with another page size', async () => {
    await add(6);
    const cursor = await cursorOf();
    expect((await list(client, { limit: 2, cursor })).text).toBe(
      (await list(client, { limit: 2, cursor })).text,
    );
    expect((await list(client, { limit: 9, cursor })).body.data).toHaveLength(5);
  });

  test('is also given by numbered pages', async () => {
    await add(6);
    const { body } = await list(client, { limit: 2, page: 2 });
    const next = (await list(client, { limit: 2, cursor: body.pagination.nextCursor })).body;
    expect(next.data).toEqual((await list(client, { limit: 2, page: 3 })).body.data);
  });

  test('consists of characters that need no encoding', async () => {
    await add(3, { name: 'Zoë 😀 % & + = ?' });
    expect(await cursorOf({ sort: 'name' })).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(await walkCursor(client, { sort: 'name', limit: 1 })).toHaveLength(3);
  });

  test('with a page is refused by the name of the page', async () => {
    await add(3);
    expectInvalid(await list(client, { cursor: await cursorOf(), page: 2 }), 'page');
  });
});

describe('a cursor belongs to the list, filters and sort that it came from', () => {
  beforeEach(() => add(3, { stage: 'lost', tags: ['vip'], eventDate: '2027-06-12', source: 'fair' }));

  test.each<[Parameters, Parameters]>([
    [{}, { stage: 'lost' }],
    [{ stage: 'lost' }, {}],
    [{ stage: 'lost' }, { stage: 'contacted' }],
    [{ tag: 'vip' }, { source: 'vip' }],
    [{}, { archived: 'all' }],
    [{}, { q: 'lead' }],
    [{ q: 'lead example' }, { q: 'leadexample' }],
    [{ eventDateFrom: '2027-06-12' }, { eventDateTo: '2027-06-12' }],
    [{ createdAfter: '2027-01-01T00:00:00Z' }, { updatedAfter: '2027-01-01T00:00:00Z' }],
    [{}, { sort: 'createdAt' }],
    [{ sort: 'name' }, { sort: '-name' }],
    [{ sort: 'createdAt' }, { sort: 'updatedAt' }],
    [{ sort: 'name' }, { sort: 'eventDate' }],
  ])('made with %j it is refused with %j', async (made, used) => {
    const cursor = await cursorOf(made);
    expectInvalid(await list(client, { ...used, cursor }), 'cursor');
    expect((await list(client, { ...made, cursor })).status).toBe(200);
  });

  test('the default sort and archived=false may be said or left out', async () => {
    const cursor = await cursorOf();
    expect((await list(client, { sort: '-createdAt', archived: 'false', cursor })).status).toBe(200);
  });

  test('a cursor of the list of API keys is none of leads, and the other way round', async () => {
    await workspace.key('live');
    await client.post('/v1/api-keys', { name: 'one' });
    const ofKeys = (await client.get('/v1/api-keys?limit=1')).body.pagination.nextCursor;
    expectInvalid(await list(client, { cursor: ofKeys }), 'cursor');
    expectInvalid(await client.get(`/v1/api-keys?cursor=${await cursorOf()}`), 'cursor');
  });
});

describe('what this service never made is refused', () => {
  beforeEach(() => add(3, { eventDate: '2027-06-12' }));
  const parts = (cursor: string) => JSON.parse(Buffer.from(cursor, 'base64url').toString());
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  test.each(['x', 'null', '!', '%25', '0', '[]', 'eyJ9', 'W10', 'bnVsbA', '../..', '😀'])(
    '%s',
    async (cursor) => {
      expectInvalid(await list(client, { cursor }), 'cursor');
    },
  );

  test('one that is far too long', async () =>
    expectInvalid(await list(client, { cursor: 'a'.repeat(4000) }), 'cursor'));

  test('a cursor that lost or won characters', async () => {
    const cursor = await cursorOf();
    for (const spoilt of [cursor.slice(1), cursor.slice(0, -4), `${cursor}AAAA`, `x${cursor}`]) {
      expectInvalid(await list(client, { cursor: spoilt }), 'cursor');
    }
  });

  test.each(['createdAt', 'updatedAt', 'eventDate', 'name'])(
    'sort=%s: a cursor with parts that don’t fit',
    async (sort) => {
      const [fingerprint, page, value, id] = parts(await cursorOf({ sort }));
      const forged: unknown[] = [
        [fingerprint, 0, value, id],
        [fingerprint, 1, value, id],
        [fingerprint, -2, value, id],
        [fingerprint, 2.5, value, id],
        [fingerprint, '2', value, id],
        [fingerprint, page, 5, id],
        [fingerprint, page, [value], id],
        [fingerprint, page, value, 5],
        [fingerprint, page, value, null],
        [fingerprint, page, value, 'lead_'],
        [fingerprint, page, value, id.replace('lead_', 'key_')],
        [fingerprint, page, value, `${id}'`],
        [fingerprint, page, value],
        [fingerprint, page, value, id, id],
        [`${fingerprint}x`, page, value, id],
        [null, page, value, id],
        { 0: fingerprint, 1: page, 2: value, 3: id, length: 4 },
        ...(sort === 'name'
          ? [
              [fingerprint, page, 'a\0b', id],
              [fingerprint, page, '\ud800', id],
            ]
          : ['', 'x', '2027', '2027-02-30', '2027-02-30T00:00:00Z', 'now', 'infinity', "'"].map((other) => [
              fingerprint,
              page,
              other,
              id,
            ])),
      ];
      for (const each of forged) expectInvalid(await list(client, { sort, cursor: encode(each) }), 'cursor');
    },
  );

  test.each(['createdAt', '-updatedAt'])('sort=%s: a null, which this field never is', async (sort) => {
    const [fingerprint, page, , id] = parts(await cursorOf({ sort }));
    expectInvalid(await list(client, { sort, cursor: encode([fingerprint, page, null, id]) }), 'cursor');
  });

  test('an offset that the database doesn’t know is no fault of the service', async () => {
    const [fingerprint, page, , id] = parts(await cursorOf());
    const cursor = encode([fingerprint, page, '2027-01-15T09:30:00+23:59', id]);
    expect((await list(client, { cursor })).status).not.toBe(500);
  });

  test('the lead that it names need not be there any more', async () => {
    const { body } = await list(client, { limit: 1 });
    await client.delete(`/v1/leads/${body.data[0].id}`);
    const next = await list(client, { cursor: body.pagination.nextCursor });
    expect({ status: next.status, count: next.body.data.length }).toEqual({ status: 200, count: 2 });
  });
});

describe('while others write, a walk by cursor repeats nothing and skips nothing that stays', () => {
  test.each(['createdAt', '-createdAt', 'eventDate', '-eventDate', 'name', '-name'])(
    'sort=%s',
    async (sort) => {
      const leads: LeadBody[] = [];
      for (let index = 0; index < 30; index++) {
        // A third without the value, several with the same one.
        const fields = index % 3 ? { name: `Lead ${index % 7}`, eventDate: `2027-06-1${index % 7}` } : {};
        leads.push(await createLead(client, fields));
        if (index % 4 === 0) clock.advance(1);
      }
      const archived = new Set<string>();
      let step = 0;
      const walked = await walkCursor(client, { sort, limit: 4 }, async () => {
        // Whoever adds as much behind the position as the walk takes never lets it end.
        if (++step > 8) return;
        clock.advance(1);
        const doomed = leads[(step * 11) % 30]!.id;
        archived.add(doomed);
        await Promise.all([
          // Before and behind the position, and without a value.
          createLead(client, { name: 'Aaron', eventDate: '2000-01-01' }),
          createLead(client, { name: 'Zoe', eventDate: '2099-01-01' }),
          createLead(client, { name: `Lead ${step % 7}`, eventDate: `2027-06-1${step % 7}` }),
          createLead(client),
          client.patch(`/v1/leads/${leads[(step * 7) % 30]!.id}`, {
            guests: step,
            tags: [`${step}`],
            stage: 'lost',
          }),
          client.delete(`/v1/leads/${doomed}`),
        ]);
      });
      const ids = walked.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      const stayed = leads.map(({ id }) => id).filter((id) => !archived.has(id));
      expect(stayed.filter((id) => !ids.includes(id))).toEqual([]);
    },
  );

  test('numbered pages stay numbered: what shifts them is told by the total', async () => {
    await add(5);
    const before = (await list(client, { limit: 2, page: 2 })).body.pagination;
    await add(2);
    const after = (await list(client, { limit: 2, page: 2 })).body.pagination;
    expect([before.total, after.total]).toEqual([5, 7]);
  });
});
