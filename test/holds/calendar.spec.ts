import { Clock } from '../../src/kernel/clock';
import { createSpace, plan, WEDDING } from '../support/calendar';
import { expectRefusal } from '../support/expect-refusal';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { startGala, type TestGala } from '../support/start-gala';
import { act, get, place } from './support';

let gala: TestGala;
let client: Client;
let hall: string;
let garden: string;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: new FakeClock() }] });
});
beforeEach(async () => {
  client = await (await gala.createWorkspace()).client();
  hall = (await createSpace(client, { name: 'Hall', setupMinutes: 120, clearingMinutes: 60 })).id;
  garden = (await createSpace(client, { name: 'Garden' })).id;
});
afterAll(() => gala.stop());

describe('the calendar', () => {
  test('refuses an event or a block over live holds, and ends them when that is meant', async () => {
    const hold = await place(client, { spaceId: hall });
    for (const type of ['event', 'block']) {
      const refused = await client.post('/v1/calendar-events', { ...WEDDING, type, spaceId: hall });
      expectRefusal(refused, 422, { field: 'spaceId' });
      expect(refused.body.error.message).toContain(hold.id);
    }
    const elsewhere = await plan(client, { ...WEDDING, spaceId: garden });
    const move = { spaceIds: [hall, garden] };
    expectRefusal(await client.patch(`/v1/calendar-events/${elsewhere.id}`, move), 422, {
      field: 'spaceIds',
    });
    const meant = await client.patch(`/v1/calendar-events/${elsewhere.id}`, { ...move, overHolds: true });
    expect(meant.status).toBe(200);
    expect(await get(client, hold)).toMatchObject({ status: 'released', endedReason: 'outbooked' });
  });

  test('ends a limited number of holds at once, or none', async () => {
    const hour = (count: number) => new Date(Date.UTC(2027, 6, 1, count)).toISOString();
    for (let count = 0; count <= 100; count++) {
      await place(client, { spaceId: garden, startsAt: hour(count), endsAt: hour(count + 1) });
    }
    const active = async () => (await client.get('/v1/holds?status=active&limit=1')).body.pagination.total;
    const renovation = { type: 'block', title: 'Renovation', spaceId: garden, overHolds: true };
    const block = (hours: number) =>
      client.post('/v1/calendar-events', { ...renovation, startsAt: hour(0), endsAt: hour(hours) });
    const refused = await block(101);
    expectRefusal(refused, 422, { field: 'spaceId' });
    expect(refused.body.error.message).toContain('a shorter time');
    expect(await active()).toBe(101);
    expect((await block(100)).status).toBe(201);
    expect(await active()).toBe(1);
  });

  test('leaves the calendar event of a hold to the hold', async () => {
    const hold = await place(client, { spaceId: hall });
    const path = `/v1/calendar-events/${hold.calendarEventId}`;
    const refuse = async () => {
      expectRefusal(await client.patch(path, { title: 'Mine' }), 422, { field: 'holdId' });
      expectRefusal(await client.patch(path, { status: 'confirmed' }), 422, { field: 'holdId' });
      expectRefusal(await client.delete(path), 422, { field: 'holdId' });
    };
    await refuse();
    await act(client, hold, 'release');
    await refuse();
  });

  test('tells the holds of each space and day, and the next rank', async () => {
    const { body } = await client.get('/v1/availability?from=2027-06-12&to=2027-06-14');
    const [first, second] = [
      await place(client, { spaceId: hall }),
      await place(client, { spaceIds: [hall, garden] }),
    ];
    await plan(client, {
      ...WEDDING,
      spaceId: garden,
      startsAt: '2027-06-14T10:00:00Z',
      endsAt: '2027-06-14T11:00:00Z',
    });
    const days = (await client.get('/v1/availability?from=2027-06-12&to=2027-06-14')).body.days;
    const told = days.map(({ spaces }: any) =>
      spaces.map(({ name, holdIds, nextRank }: any) => [name, holdIds, nextRank]),
    );
    expect(told).toEqual([
      [
        ['Garden', [second.id], 2],
        ['Hall', [first.id, second.id], 3],
      ],
      [
        ['Garden', [second.id], 2],
        ['Hall', [first.id, second.id], 3],
      ],
      [
        ['Garden', [], null],
        ['Hall', [], 1],
      ],
    ]);
    expect(body.days[0].spaces[0]).toMatchObject({ holdIds: [], nextRank: 1 });
    for (let rank = 3; rank <= 5; rank++) await place(client, { spaceId: hall });
    const full = (await client.get(`/v1/availability?from=2027-06-12&to=2027-06-12&spaceId=${hall}`)).body;
    expect(full.days[0].spaces[0]).toMatchObject({ status: 'held', nextRank: null });
  });
});
