import { newId } from '../../src/kernel/ids';
import { createSpace, plan, type SpaceBody } from '../support/calendar';
import { expectRefusal } from '../support/expect-refusal';
import type { Client } from '../support/http-client';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
});
beforeEach(async () => {
  client = await (await gala.createWorkspace()).client();
});
afterAll(() => gala.stop());

const names = async (query = '') =>
  (await client.get(`/v1/spaces${query}`)).body.data.map(({ name }: SpaceBody) => name);

test('a space is created, read, changed, archived and restored', async () => {
  const answer = await client.post('/v1/spaces', { name: 'Hall', capacity: 180, setupMinutes: 120 });
  const space = answer.body;
  const path = `/v1/spaces/${space.id}`;
  expect(answer).toMatchObject({ status: 201, headers: { location: path } });
  expect(space).toEqual({
    id: expect.stringMatching(/^space_[0-9a-z]{26}$/),
    name: 'Hall',
    capacity: 180,
    setupMinutes: 120,
    clearingMinutes: 0,
    archivedAt: null,
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: space.createdAt,
    revision: 1,
  });
  expect((await client.get(path)).body).toEqual(space);
  expect((await client.patch(path, {})).body).toEqual(space);
  const changed = (await client.patch(path, { capacity: null, clearingMinutes: 45 })).body;
  expect(changed).toEqual({
    ...space,
    capacity: null,
    clearingMinutes: 45,
    updatedAt: changed.updatedAt,
    revision: 2,
  });
  const archived = (await client.delete(path)).body;
  expect(archived.archivedAt).toBe(archived.updatedAt);
  expect((await client.delete(path)).body).toEqual(archived);
  expectRefusal(await client.patch(path, { name: 'New' }), 422, { field: 'archivedAt' });
  const restored = (await client.post(`${path}/restore`)).body;
  expect(restored).toEqual({ ...changed, updatedAt: restored.updatedAt, revision: 4 });
  expect((await client.post(`${path}/restore`)).body).toEqual(restored);
});

test('the audit log tells who did it', async () => {
  const { id } = await createSpace(client, { name: 'Audited' });
  await client.patch(`/v1/spaces/${id}`, { capacity: 5 });
  await client.patch(`/v1/spaces/${id}`, { capacity: 5 });
  await client.delete(`/v1/spaces/${id}`);
  await client.post(`/v1/spaces/${id}/restore`);
  const rows = await sql(gala.databaseUrl, `SELECT * FROM audit_log WHERE target_id = $1 ORDER BY id`, [id]);
  expect(rows.map(({ action }) => action)).toEqual([
    'space.created',
    'space.updated',
    'space.archived',
    'space.restored',
  ]);
  expect(rows[0]).toMatchObject({ actor_type: 'api_key', target_name: 'Audited', mode: 'live' });
});

test.each([
  ['name', {}],
  ['name', { name: ' ' }],
  ['name', { name: 'x'.repeat(101) }],
  ['capacity', { name: 'Hall', capacity: 0 }],
  ['capacity', { name: 'Hall', capacity: '180' }],
  ['setupMinutes', { name: 'Hall', setupMinutes: -1 }],
  ['clearingMinutes', { name: 'Hall', clearingMinutes: 10_081 }],
  ['id', { name: 'Hall', id: newId('space') }],
])('creating one is refused with 422 %s for %j', async (field, body) =>
  expectRefusal(await client.post('/v1/spaces', body), 422, { field }),
);

test('the list is by name, in pages, without archived ones', async () => {
  for (const name of ['Zen', 'atrium', 'Ático', 'Bar']) await createSpace(client, { name });
  const { id } = await createSpace(client, { name: 'Closed' });
  await client.delete(`/v1/spaces/${id}`);
  expect(await names()).toEqual(['Ático', 'atrium', 'Bar', 'Zen']);
  expect(await names('?archived=true')).toEqual(['Closed']);
  expect(await names('?archived=all&limit=2&page=2')).toEqual(['Bar', 'Closed']);
  const { nextCursor } = (await client.get('/v1/spaces?limit=3')).body.pagination;
  expect(await names(`?limit=3&cursor=${nextCursor}`)).toEqual(['Zen']);
  expectRefusal(await client.get(`/v1/spaces?archived=all&cursor=${nextCursor}`), 422, { field: 'cursor' });
  expectRefusal(await client.get('/v1/spaces?archived=yes'), 422, { field: 'archived' });
});

test('there are at most a hundred', async () => {
  for (let count = 0; count < 100; count++) await createSpace(client, { name: `Space ${count}` });
  expectRefusal(await client.post('/v1/spaces', { name: 'One more' }), 422, { field: 'name' });
  const [{ id }] = (await client.get('/v1/spaces')).body.data;
  await client.delete(`/v1/spaces/${id}`);
  await createSpace(client, { name: 'In its place' });
  expectRefusal(await client.post(`/v1/spaces/${id}/restore`), 422, { field: 'name' });
});

describe('availability', () => {
  const ask = async (query: string) => {
    const { status, body } = await client.get(`/v1/availability?${query}`);
    expect({ status, body }).toMatchObject({ status: 200 });
    return body.days.map(({ date, spaces }: { date: string; spaces: { name: string; status: string }[] }) => [
      date,
      ...spaces.map(({ name, status: state }) => `${name} ${state}`),
    ]);
  };

  test('tells of each day and space what stands against an event there most', async () => {
    const hall = await createSpace(client, { name: 'Hall' });
    const terrace = await createSpace(client, { name: 'Terrace' });
    const at = (day: string) => ({ startsAt: `${day}T10:00:00Z`, endsAt: `${day}T11:00:00Z` });
    await plan(client, { type: 'visit', spaceIds: [hall.id, terrace.id], ...at('2027-06-10') });
    await plan(client, { type: 'hold', spaceId: hall.id, startsAt: '2027-06-10', endsAt: '2027-06-12' });
    await plan(client, { type: 'block', spaceId: terrace.id, startsAt: '2027-06-11', endsAt: '2027-06-12' });
    await plan(client, {
      spaceId: hall.id,
      startsAt: '2027-06-11T20:00:00Z',
      endsAt: '2027-06-12T02:00:00Z',
    });
    const cancelled = await plan(client, { spaceId: hall.id, ...at('2027-06-13') });
    await client.delete(`/v1/calendar-events/${cancelled.id}`);
    expect(await ask('from=2027-06-09&to=2027-06-13')).toEqual([
      ['2027-06-09', 'Hall free', 'Terrace free'],
      ['2027-06-10', 'Hall held', 'Terrace visit_only'],
      ['2027-06-11', 'Hall booked', 'Terrace booked'],
      ['2027-06-12', 'Hall booked', 'Terrace free'],
      ['2027-06-13', 'Hall free', 'Terrace free'],
    ]);
    expect(await ask(`from=2027-06-12&to=2027-06-12&spaceId=${terrace.id}`)).toEqual([
      ['2027-06-12', 'Terrace free'],
    ]);
  });

  test('counts set-up and clearing, and names what is there', async () => {
    const hall = await createSpace(client, { name: 'Hall', setupMinutes: 120, clearingMinutes: 60 });
    const times = { startsAt: '2027-06-11T23:30:00Z', endsAt: '2027-06-12T21:30:00Z' };
    const { id } = await plan(client, { spaceId: hall.id, ...times });
    expect(await ask('from=2027-06-11&to=2027-06-14')).toEqual([
      ['2027-06-11', 'Hall booked'],
      ['2027-06-12', 'Hall booked'],
      ['2027-06-13', 'Hall booked'],
      ['2027-06-14', 'Hall free'],
    ]);
    const { body } = await client.get('/v1/availability?from=2027-06-13&to=2027-06-13');
    expect(body).toEqual({
      timeZone: 'Europe/Madrid',
      days: [
        {
          date: '2027-06-13',
          spaces: [
            {
              ...{ spaceId: hall.id, name: 'Hall', status: 'booked', fits: null, eventIds: [id] },
              ...{ holdIds: [], nextRank: null },
            },
          ],
        },
      ],
    });
  });

  test('tells whether the guests fit', async () => {
    await createSpace(client, { name: 'Barn' });
    await createSpace(client, { name: 'Hall', capacity: 100 });
    for (const [guests, fits] of [
      [100, [null, true]],
      [101, [null, false]],
    ] as const) {
      const { body } = await client.get(`/v1/availability?from=2027-06-13&to=2027-06-13&guests=${guests}`);
      expect(body.days[0].spaces.map((space: { fits: boolean }) => space.fits)).toEqual(fits);
    }
  });

  test.each([
    ['from', 'to=2027-06-13'],
    ['to', 'from=2027-06-13'],
    ['to', 'from=2027-06-13&to=2027-06-12'],
    ['to', 'from=2027-01-01&to=2028-01-02'],
    ['from', 'from=2027-06-13T00:00:00Z&to=2027-06-13'],
    ['from', 'from=9999-12-31&to=9999-12-31'],
    ['guests', 'from=2027-06-13&to=2027-06-13&guests=0'],
    ['guests', 'from=2027-06-13&to=2027-06-13&guests=1e3'],
    ['spaceId', 'from=2027-06-13&to=2027-06-13&spaceId=hall'],
    ['spaceId', `from=2027-06-13&to=2027-06-13&spaceId=${newId('space')}`],
    ['nonsense', 'from=2027-06-13&to=2027-06-13&nonsense=1'],
  ])('is refused with 422 %s for %s', async (field, query) =>
    expectRefusal(await client.get(`/v1/availability?${query}`), 422, { field }),
  );

  test('takes a whole leap year', async () => {
    await createSpace(client);
    expect(await ask('from=2028-01-01&to=2028-12-31')).toHaveLength(366);
  });
});
