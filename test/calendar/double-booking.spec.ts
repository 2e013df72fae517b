import { toUuid, type Id } from '../../src/kernel/ids';
import { createSpace, plan, titlesIn, WEDDING } from '../support/calendar';
import type { Client } from '../support/http-client';
import { onConnection, sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { countOverlaps, expectTaken, raceForOneDay, raceOfEveryKind } from './booking-races';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let hall: string;
let terrace: string;
beforeAll(async () => {
  gala = await startGala();
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  hall = (await createSpace(client, { name: 'Hall' })).id;
  terrace = (await createSpace(client, { name: 'Terrace' })).id;
});
afterAll(() => gala.stop());

const path = ({ id }: { id: string }) => `/v1/calendar-events/${id}`;
const tryPlan = (fields: object) => client.post('/v1/calendar-events', { ...WEDDING, ...fields });

describe('a space that an event or a block has', () => {
  test.each(['event', 'block'])('can’t be had by another: %s', async (type) => {
    const first = await plan(client, { type, spaceId: hall });
    for (const other of ['event', 'block']) {
      expectTaken(await tryPlan({ type: other, spaceId: hall }), first.id);
      expectTaken(await tryPlan({ type: other, spaceIds: [terrace, hall] }), first.id, 'spaceIds');
    }
    expect(await titlesIn(client, '2027-06-12', '2027-06-13')).toEqual(['Wedding']);
  });

  test('can be seen, and held for somebody', async () => {
    await plan(client, { spaceId: hall });
    for (const type of ['visit', 'hold', 'hold']) await plan(client, { type, spaceId: hall });
  });

  test('is free before, after, elsewhere, in the other mode, and when there is none', async () => {
    await plan(client, { spaceId: hall });
    await plan(client, { spaceId: hall, startsAt: '2027-06-12T10:00:00Z', endsAt: '2027-06-12T16:00:00Z' });
    await plan(client, { spaceId: hall, startsAt: '2027-06-13T01:00:00Z', endsAt: '2027-06-13T02:00:00Z' });
    await plan(client, { spaceId: terrace });
    await plan(client);
    await plan(client);
    const sandbox = await workspace.client('test');
    await plan(sandbox, { spaceId: (await createSpace(sandbox)).id });
  });

  test('is taken by whole days of the event’s zone', async () => {
    const days = { spaceId: hall, startsAt: '2027-03-28', endsAt: '2027-03-29' };
    const first = await plan(client, { type: 'block', ...days });
    const hour = (startsAt: string, endsAt: string) => tryPlan({ spaceId: hall, startsAt, endsAt });
    expectTaken(await hour('2027-03-27T22:00:00Z', '2027-03-27T23:00:00.001Z'), first.id);
    expectTaken(await hour('2027-03-28T21:59:59.999Z', '2027-03-28T23:00:00Z'), first.id);
    expect((await hour('2027-03-27T22:00:00Z', '2027-03-27T23:00:00Z')).status).toBe(201);
    expect((await hour('2027-03-28T22:00:00Z', '2027-03-28T23:00:00Z')).status).toBe(201);
  });
});

describe('set-up and clearing', () => {
  beforeEach(async () => {
    const pavilion = await createSpace(client, { name: 'Pavilion', setupMinutes: 120, clearingMinutes: 60 });
    hall = pavilion.id;
  });
  const at = (from: string, to: string, type = 'event') =>
    tryPlan({ type, spaceId: hall, startsAt: `2027-06-12T${from}:00Z`, endsAt: `2027-06-12T${to}:00Z` });

  test('keep two events apart, and neither overlaps the other’s', async () => {
    const { id } = (await at('12:00', '14:00')).body;
    expectTaken(await at('16:59', '18:00'), id);
    expectTaken(await at('08:00', '09:01'), id);
    expect((await at('17:00', '18:00')).status).toBe(201);
    expect((await at('08:00', '09:00')).status).toBe(201);
  });

  test('a block needs none itself, and leaves an event its own', async () => {
    const { id } = (await at('12:00', '14:00', 'block')).body;
    expect((await at('14:00', '15:00', 'block')).status).toBe(201);
    expectTaken(await at('09:00', '11:01'), id);
    expect((await at('09:00', '11:00')).status).toBe(201);
  });

  test('are those of the day of booking, until the event is moved', async () => {
    const { id } = (await at('12:00', '14:00')).body;
    await client.patch(`/v1/spaces/${hall}`, { setupMinutes: 0, clearingMinutes: 0 });
    expectTaken(await at('14:30', '15:00'), id);
    await client.patch(`/v1/calendar-events/${id}`, { title: 'Renamed' });
    expectTaken(await at('14:30', '15:00'), id);
    await client.patch(`/v1/calendar-events/${id}`, { endsAt: '2027-06-12T14:15:00Z' });
    expect((await at('14:30', '15:00')).status).toBe(201);
  });
});

describe('a change', () => {
  test.each([
    ['of time', { startsAt: '2027-06-12T20:00:00Z' }],
    ['to all day', { startsAt: '2027-06-13', endsAt: '2027-06-14' }],
  ])('%s is refused where somebody else is, and leaves everything', async (_, change) => {
    const first = await plan(client, { spaceId: hall });
    const second = await plan(client, {
      spaceId: hall,
      startsAt: '2027-06-13T01:00:00Z',
      endsAt: '2027-06-13T03:00:00Z',
    });
    expectTaken(await client.patch(path(second), change), first.id);
    expect((await client.get(path(second))).body).toEqual(second);
  });

  test('of space, of kind, and a restoration are refused alike', async () => {
    const first = await plan(client, { spaceId: hall });
    const elsewhere = await plan(client, { spaceId: terrace });
    expectTaken(await client.patch(path(elsewhere), { spaceId: hall }), first.id);
    expectTaken(await client.patch(path(elsewhere), { spaceIds: [terrace, hall] }), first.id, 'spaceIds');
    const hold = await plan(client, { type: 'hold', spaceId: hall });
    expectTaken(await client.patch(path(hold), { type: 'event' }), first.id);
    await client.delete(path(first));
    const next = await plan(client, { spaceId: hall });
    expectTaken(await client.patch(path(first), { status: 'confirmed' }), next.id);
    expect((await client.get(path(first))).body.status).toBe('cancelled');
    expect((await client.patch(path(first), { status: 'confirmed', spaceId: null })).status).toBe(200);
  });

  test('within its own time is no clash with itself', async () => {
    const event = await plan(client, { spaceIds: [hall, terrace] });
    expect((await client.patch(path(event), { startsAt: '2027-06-12T17:00:00Z' })).status).toBe(200);
    expect((await client.patch(path(event), { spaceIds: [terrace, hall] })).status).toBe(200);
  });

  test('gives free what the event no longer takes', async () => {
    const event = await plan(client, { spaceIds: [hall, terrace] });
    await client.patch(path(event), { spaceIds: [terrace] });
    await plan(client, { spaceId: hall });
    await client.patch(path(event), { type: 'visit' });
    await plan(client, { spaceId: terrace });
  });
});

describe('at once', () => {
  test('a hundred bookings of one space and day: one succeeds, the others are told by whom', () =>
    raceForOneDay(client, hall, 100));

  test('bookings of several spaces in every order: none overlap, and nobody waits for ever', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        tryPlan({ spaceIds: index % 2 ? [hall, terrace] : [terrace, hall] }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(59).fill(422)]);
  });

  test('moves, cancellations and restorations: nothing overlaps', async () => {
    await raceOfEveryKind(client, [hall, terrace, (await createSpace(client)).id], 150);
    expect(await countOverlaps(gala)).toBe(0);
  });

  test('two cancelled events restored: one gets the space', async () => {
    const first = await plan(client, { spaceId: hall });
    await client.delete(path(first));
    const second = await plan(client, { spaceId: hall });
    await client.delete(path(second));
    const answers = await Promise.all(
      [first, second].map((event) => client.patch(path(event), { status: 'confirmed' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });
});

describe('the database itself', () => {
  const insert = (event: { id: string }) =>
    `INSERT INTO calendar_occupancies (workspace_id, mode, space_id, event_id, period)
     SELECT workspace_id, mode, '${toUuid(hall as Id<'space'>)}', id, tstzrange(starts_at, ends_at)
     FROM calendar_events WHERE id = '${toUuid(event.id as Id<'cal'>)}'`;

  test('refuses what overlaps, whoever writes it', async () => {
    await plan(client, { spaceId: hall });
    const other = await plan(client);
    await expect(sql(gala.databaseUrl, insert(other))).rejects.toMatchObject({ code: '23P01' });
  });

  test('and its refusal is a 422 like any other, when the other booking came unseen', async () => {
    const unseen = await plan(client);
    const answer = await onConnection(gala.databaseUrl, async (connection) => {
      await connection.query('BEGIN');
      await connection.query(insert(unseen));
      const waiting = tryPlan({ spaceId: hall });
      // Until the request waits for the end of this transaction.
      for (;;) {
        const [row] = await sql<{ count: number }>(
          gala.databaseUrl,
          `SELECT count(*)::int AS count FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event = 'transactionid'`,
        );
        if (row!.count > 0) break;
      }
      await connection.query('COMMIT');
      return waiting;
    });
    expectTaken(answer, unseen.id);
  });
});
