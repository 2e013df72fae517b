import { Clock } from '../../src/kernel/clock';
import { toUuid } from '../../src/kernel/ids';
import { BATCH, SettleHolds } from '../../src/modules/holds/application/settle-holds';
import { SettleJob } from '../../src/modules/holds/infrastructure/settle-job';
import { createSpace } from '../support/calendar';
import { allEvents, eventsOf } from '../support/events';
import { expectRefusal } from '../support/expect-refusal';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { multiply } from './many-holds';
import { act, get, patch, place, ranks, SATURDAY } from './support';

const HOUR = 3600;
let clock: FakeClock;
let gala: TestGala;
let other: TestGala;
let workspace: TestWorkspace;
let client: Client;
let hall: string;
beforeAll(async () => {
  clock = new FakeClock();
  const overrides = [{ provide: Clock, useValue: clock }];
  gala = await startGala({ overrides });
  other = await startGala({ overrides, databaseUrl: gala.databaseUrl });
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  hall = (await createSpace(client, { name: 'Hall' })).id;
});
afterAll(async () => {
  await other.stop();
  await gala.stop();
});

const settleAll = (instance = gala) => instance.app.get(SettleJob, { strict: false }).settleAll();
const inHours = (hours: number) => new Date(clock.now().getTime() + hours * HOUR * 1000).toISOString();
const wait = (hours: number) => clock.advance(hours * HOUR);

describe('an expiry', () => {
  test('counts at every read from that moment on', async () => {
    const expiresAt = inHours(1);
    const hold = await place(client, { spaceId: hall, expiresAt });
    const second = await place(client, { spaceId: hall });
    wait(1);
    expect(await get(client, hold)).toMatchObject({
      status: 'expired',
      endedReason: 'expired',
      endedAt: expiresAt,
    });
    expect(await ranks(client, [hold, second])).toEqual([null, 1]);
    const [, promoted] = await eventsOf(gala, second.id);
    expect(promoted).toMatchObject({ type: 'hold.promoted', timestamp: expiresAt, previous: { rank: 2 } });
    expect(promoted!.cause).toEqual({ type: 'system', id: null });
  });

  test.each([
    ['lists of holds', () => client.get('/v1/holds?status=active'), (body: any) => body.data],
    [
      'lists of events',
      () => client.get('/v1/calendar-events?from=2027-06-12&to=2027-06-12'),
      (body: any) => body.data,
    ],
    [
      'availability',
      () => client.get('/v1/availability?from=2027-06-12&to=2027-06-12'),
      (body: any) => body.days[0].spaces[0].holdIds,
    ],
  ])('counts in %s', async (_, read, held) => {
    await place(client, { spaceId: hall, expiresAt: inHours(1) });
    expect(held((await read()).body)).toHaveLength(1);
    wait(1);
    expect(held((await read()).body)).toEqual([]);
  });

  test.each(['confirm', 'release', 'challenge', 'withdraw-challenge'])(
    'leaves nothing to %s',
    async (verb) => {
      const hold = await place(client, { spaceId: hall, expiresAt: inHours(1) });
      wait(1);
      expectRefusal(await act(client, hold, verb), 422, { field: 'status' });
      expectRefusal(await patch(client, hold, { expiresAt: inHours(2) }), 422, { field: 'status' });
    },
  );

  test('gives the space back to events', async () => {
    await place(client, { spaceId: hall, expiresAt: inHours(1) });
    wait(1);
    const event = { ...SATURDAY, type: 'event', title: 'Wedding', spaceId: hall };
    expect((await client.post('/v1/calendar-events', event)).status).toBe(201);
  });
});

describe('a challenge', () => {
  test('gives those ahead until the deadline, then the challenger its time', async () => {
    const [first, second] = [await place(client, { spaceId: hall }), await place(client, { spaceId: hall })];
    const deadline = inHours(48);
    expect((await act(client, second, 'challenge')).body).toMatchObject({
      rank: 2,
      challengeDeadline: deadline,
    });
    expect(await get(client, first)).toMatchObject({ answerBy: deadline, challengedBy: [second.id] });
    expect((await client.get('/v1/holds?challenged=true')).body.data.map(({ id }: any) => id)).toEqual([
      first.id,
    ]);
    wait(48);
    expect(await get(client, first)).toMatchObject({ status: 'expired', endedReason: 'challenge_lapsed' });
    expect(await get(client, second)).toMatchObject({
      rank: 1,
      answerBy: inHours(24),
      challengeDeadline: null,
    });
    expect((await act(client, second, 'confirm')).body.status).toBe('confirmed');
  });

  test('can be withdrawn by its challenger', async () => {
    const [first, second] = [await place(client, { spaceId: hall }), await place(client, { spaceId: hall })];
    await act(client, second, 'challenge');
    expect((await act(client, second, 'withdraw-challenge')).body.challengeDeadline).toBeNull();
    expect(await get(client, first)).toMatchObject({ answerBy: null, challengedBy: [] });
    const types = (await eventsOf(gala, first.id)).map(({ type }) => type);
    expect(types).toEqual(['hold.placed', 'hold.challenged', 'hold.challenge_withdrawn']);
    expectRefusal(await act(client, second, 'withdraw-challenge'), 422, { field: 'status' });
  });

  test('is refused for the first, and with a deadline that is out of bounds', async () => {
    const first = await place(client, { spaceId: hall });
    const second = await place(client, { spaceId: hall });
    expectRefusal(await act(client, first, 'challenge'), 422, { field: 'rank' });
    for (const hours of [0.99, 30 * 24 + 0.01]) {
      expectRefusal(await act(client, second, 'challenge', { deadline: inHours(hours) }), 422, {
        field: 'deadline',
      });
    }
    expect((await act(client, second, 'challenge', { deadline: inHours(2) })).status).toBe(200);
    expect((await act(client, second, 'challenge')).body.challengeDeadline).toBe(inHours(2));
    expectRefusal(await act(client, second, 'challenge', { deadline: inHours(3) }), 422, {
      field: 'deadline',
    });
  });

  test('must end before a rival begins, and may be short in test mode', async () => {
    const sandbox = await workspace.client('test');
    const spaceId = (await createSpace(sandbox)).id;
    const soon = { spaceId, startsAt: inHours(2), endsAt: inHours(4) };
    await place(sandbox, soon);
    const second = await place(sandbox, soon);
    expectRefusal(await act(sandbox, second, 'challenge', { deadline: inHours(2.01) }), 422, {
      field: 'deadline',
    });
    expect((await act(sandbox, second, 'challenge', { deadline: inHours(1 / HOUR) })).status).toBe(200);
  });
});

describe('the job', () => {
  const told = async (type: string) =>
    (await allEvents(gala, workspace.id)).filter((event) => event.type === type);

  test('announces a deadline once, a day before, and ends the hold in its time', async () => {
    const hold = await place(client, { spaceId: hall, expiresAt: inHours(48) });
    const [announced, ends] = [inHours(24), inHours(48)];
    await settleAll();
    expect(await told('hold.expiring')).toEqual([]);
    wait(30);
    await Promise.all([settleAll(), settleAll(other)]);
    expect(await told('hold.expiring')).toMatchObject([{ timestamp: announced, data: { ...hold } }]);
    wait(30);
    await Promise.all([settleAll(), settleAll(other)]);
    expect(await told('hold.expiring')).toHaveLength(1);
    expect(await told('hold.expired')).toMatchObject([{ timestamp: ends, data: { endedAt: ends } }]);
    expect(await told('calendar_event.cancelled')).toHaveLength(1);
  });

  test('of several instances ends each hold of one minute once', async () => {
    const hold = await place(client, { spaceId: hall, expiresAt: inHours(1) });
    const count = 2 * BATCH + 7;
    await multiply(gala.databaseUrl, hold.id, { count });
    wait(1);
    await Promise.all([settleAll(), settleAll(other), settleAll()]);
    const ended = await told('hold.expired');
    expect(ended).toHaveLength(count);
    expect(new Set(ended.map(({ data }) => data.id)).size).toBe(count);
    expect(await told('calendar_event.cancelled')).toHaveLength(count);
  });

  test('ends those of a queue also when another one can’t be changed', async () => {
    const hold = await place(client, { spaceId: hall, expiresAt: inHours(1) });
    const broken = await (await gala.createWorkspace()).client();
    const stuck = await place(broken, { spaceId: (await createSpace(broken)).id, expiresAt: inHours(0.5) });
    wait(1);
    const settle = gala.app.get(SettleHolds, { strict: false });
    const batch = settle.batch.bind(settle);
    const refused = jest.spyOn(settle, 'batch').mockImplementation(async (ref, now) => {
      if (ref.workspaceId !== workspace.id) throw new Error('the disk is full');
      await batch(ref, now);
    });
    await settleAll();
    expect(await told('hold.expired')).toMatchObject([{ data: { id: hold.id } }]);
    refused.mockRestore();
    await settleAll();
    expect((await get(broken, stuck)).status).toBe('expired');
  });

  test('ends those of a queue also when another one that can’t be changed has very many', async () => {
    const broken = await gala.createWorkspace();
    const owner = await broken.client();
    const stuck = await place(owner, { spaceId: (await createSpace(owner)).id, expiresAt: inHours(0.5) });
    await multiply(gala.databaseUrl, stuck.id, { count: 10_001 });
    const hold = await place(client, { spaceId: hall, expiresAt: inHours(1) });
    wait(1);
    const settle = gala.app.get(SettleHolds, { strict: false });
    const batch = settle.batch.bind(settle);
    const refused = jest.spyOn(settle, 'batch').mockImplementation(async (ref, now) => {
      if (ref.workspaceId === broken.id) throw new Error('the disk is full');
      await batch(ref, now);
    });
    await settleAll();
    refused.mockRestore();
    expect(await told('hold.expired')).toMatchObject([{ data: { id: hold.id } }]);
    // The other tests would end them.
    for (const table of ['hold_claims', 'holds']) {
      await sql(gala.databaseUrl, `DELETE FROM ${table} WHERE workspace_id = $1`, [toUuid(broken.id)]);
    }
  }, 120_000);

  test('ends what is too much for a request, which is told to come back', async () => {
    const hold = await place(client, { spaceId: hall, expiresAt: inHours(1) });
    const count = 5 * BATCH + 1;
    await multiply(gala.databaseUrl, hold.id, { count });
    wait(1);
    const answer = await client.get('/v1/holds');
    expectRefusal(answer, 429);
    expect(answer.headers['retry-after']).toBe('10');
    await settleAll();
    expect((await client.get('/v1/holds?status=expired&limit=1')).body.pagination.total).toBe(count);
  }, 120_000);
});
