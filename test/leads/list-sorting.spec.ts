import { Clock } from '../../src/kernel/clock';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { createLead, type LeadBody, list, namesIn, walkCursor, walkPages } from '../support/leads';
import { expectInvalid } from '../support/refusals';
import { startGala, type TestGala } from '../support/start-gala';

const clock = new FakeClock();
let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  client = await (await gala.createWorkspace()).client();
});

const idsBy = async (sort?: string): Promise<string[]> => {
  const { status, body } = await list(client, sort ? { sort } : {});
  expect(status).toBe(200);
  return body.data.map(({ id }: LeadBody) => id);
};

describe('orders', () => {
  test('by creation, newest first when nothing is said', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 4; index++) {
      ids.push((await createLead(client)).id);
      clock.advance(1);
    }
    expect(await idsBy('createdAt')).toEqual(ids);
    expect(await idsBy('-createdAt')).toEqual([...ids].reverse());
    expect(await idsBy()).toEqual([...ids].reverse());
  });

  test('by the last change', async () => {
    const [a, b, c] = [await createLead(client), await createLead(client), await createLead(client)];
    for (const { id } of [b, a, c]) {
      clock.advance(1);
      await client.patch(`/v1/leads/${id}`, { guests: 5 });
    }
    expect(await idsBy('updatedAt')).toEqual([b.id, a.id, c.id]);
    expect(await idsBy('-updatedAt')).toEqual([c.id, a.id, b.id]);
  });

  test('by the day of the event, those without one last both ways', async () => {
    const [none, later, sooner, alsoNone] = [
      await createLead(client),
      await createLead(client, { eventDate: '2028-01-01' }),
      await createLead(client, { eventDate: '2027-12-31' }),
      await createLead(client),
    ];
    expect(await idsBy('eventDate')).toEqual([sooner.id, later.id, none.id, alsoNone.id]);
    expect(await idsBy('-eventDate')).toEqual([later.id, sooner.id, alsoNone.id, none.id]);
  });

  test('by name as people sort names, those without one last both ways', async () => {
    const sorted = [
      'andré',
      'Ángela',
      'Ann',
      'bernd',
      'Élodie',
      'Emil',
      'øystein',
      'Özil',
      'Zoë',
      'Ярослав',
      '山田',
    ];
    for (const name of [...sorted].reverse()) await createLead(client, { name });
    await createLead(client);
    const names = await namesIn(client, { sort: 'name' });
    expect(names).toEqual([...sorted].sort(new Intl.Collator('en').compare).concat([null as never]));
    expect(await namesIn(client, { sort: '-name' })).toEqual([...names.slice(0, -1).reverse(), null]);
  });

  test('by name: case decides only between names that are else the same', async () => {
    for (const name of ['b', 'B', 'a', 'A', 'ab', 'AB', 'Ab', 'aB']) await createLead(client, { name });
    const names = (await namesIn(client, { sort: 'name' })) as string[];
    expect(names.map((name) => name.toLowerCase())).toEqual(['a', 'a', 'ab', 'ab', 'ab', 'ab', 'b', 'b']);
  });
});

describe('ids break ties, in the direction of the sort, so that every order is total', () => {
  const ties = { name: 'Ana', eventDate: '2027-06-12' };

  test.each(['createdAt', 'updatedAt', 'eventDate', 'name'])('%s', async (field) => {
    const ids: string[] = [];
    for (let index = 0; index < 9; index++) ids.push((await createLead(client, ties)).id);
    ids.sort();
    expect(await idsBy(field)).toEqual(ids);
    expect(await idsBy(`-${field}`)).toEqual([...ids].reverse());
    for (const [sort, expected] of [
      [field, ids],
      [`-${field}`, [...ids].reverse()],
    ] as const) {
      expect((await walkPages(client, { sort, limit: 2 })).map(({ id }) => id)).toEqual(expected);
      expect((await walkCursor(client, { sort, limit: 2 })).map(({ id }) => id)).toEqual(expected);
    }
  });

  test.each(['eventDate', 'name'])('%s where none has a value', async (sort) => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.push((await createLead(client)).id);
    ids.sort();
    expect((await walkCursor(client, { sort, limit: 2 })).map(({ id }) => id)).toEqual(ids);
    expect((await walkCursor(client, { sort: `-${sort}`, limit: 2 })).map(({ id }) => id)).toEqual(
      [...ids].reverse(),
    );
  });

  test.each(['eventDate', '-eventDate', 'name', '-name'])(
    '%s: pages that hold leads with and without a value join without a gap',
    async (sort) => {
      for (let index = 0; index < 5; index++) {
        await createLead(client, { name: `Lead ${index}`, eventDate: `2027-06-1${index}` });
        await createLead(client);
      }
      const whole = await idsBy(sort);
      for (const limit of [1, 2, 3, 4, 5, 6, 9, 10]) {
        expect((await walkPages(client, { sort, limit })).map(({ id }) => id)).toEqual(whole);
        expect((await walkCursor(client, { sort, limit })).map(({ id }) => id)).toEqual(whole);
      }
    },
  );
});

test.each([
  'email',
  'guests',
  'created_at',
  '--name',
  'name,createdAt',
  '+name',
  'Name',
  '-',
  'name desc',
  'id',
  'name-',
  'createdAt;--',
])('sort=%s is refused', async (sort) => expectInvalid(await list(client, { sort }), 'sort'));
