import { Clock } from '../../src/kernel/clock';
import { createSpace, type EventBody, plan, WEDDING } from '../support/calendar';
import { eventsOf } from '../support/events';
import { expectRefusal } from '../support/expect-refusal';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { act, get, patch, place, ranks, SATURDAY, tryPlace } from './support';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let hall: string;
let garden: string;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: new FakeClock() }] });
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  hall = (await createSpace(client, { name: 'Hall', setupMinutes: 120, clearingMinutes: 60 })).id;
  garden = (await createSpace(client, { name: 'Garden' })).id;
});
afterAll(() => gala.stop());

const event = async ({ calendarEventId }: { calendarEventId: string }): Promise<EventBody> =>
  (await client.get(`/v1/calendar-events/${calendarEventId}`)).body;
const typesOf = async (hold: { id: string }) => (await eventsOf(gala, hold.id)).map(({ type }) => type);

describe('a hold', () => {
  test('shows its fields, its rank, and when it expires, and has a calendar event beside it', async () => {
    const lead = await createLead(client);
    const hold = await place(client, {
      ...{ title: 'Ana and Luis', leadId: lead.id, guests: 120, notes: 'Garden?', group: 'ana' },
      spaceIds: [hall, garden],
    });
    expect(hold).toEqual({
      ...SATURDAY,
      ...{ title: 'Ana and Luis', leadId: lead.id, guests: 120, notes: 'Garden?', group: 'ana' },
      id: expect.stringMatching(/^hold_/),
      ...{ spaceId: hall, spaceIds: [hall, garden], allDay: false, timeZone: 'Europe/Madrid' },
      ...{ status: 'active', rank: 1, ahead: [], challengedBy: [], answerBy: null, endedReason: null },
      ...{ challengeDeadline: null, expiresAt: '2027-01-29T09:30:00.000Z', endedAt: null, revision: 1 },
      calendarEventId: expect.stringMatching(/^cal_/),
      placedAt: '2027-01-15T09:30:00.000Z',
      createdAt: '2027-01-15T09:30:00.000Z',
      updatedAt: '2027-01-15T09:30:00.000Z',
    });
    expect(await get(client, hold)).toEqual(hold);
    expect(await event(hold)).toMatchObject({
      ...SATURDAY,
      ...{ type: 'hold', title: 'Ana and Luis', leadId: lead.id, guests: 120, spaceIds: [hall, garden] },
    });
    const [placed, ...more] = await eventsOf(gala, hold.id);
    expect(placed).toMatchObject({ type: 'hold.placed', data: hold, previous: null });
    expect(more).toEqual([]);
  });

  test('takes whole days, and a day at whose end it expires', async () => {
    const hold = await place(client, {
      ...{ spaceId: hall, startsAt: '2027-06-12', endsAt: '2027-06-13', expiresAt: '2027-02-01' },
    });
    expect(hold).toMatchObject({
      ...{ startsAt: '2027-06-12', endsAt: '2027-06-13', allDay: true },
      expiresAt: '2027-02-01T23:00:00.000Z',
    });
  });

  test.each([
    ['a start in the past', { startsAt: '2027-01-15T09:00:00Z', endsAt: '2027-01-16T09:00:00Z' }, 'startsAt'],
    ['an expiry in the past', { expiresAt: '2027-01-15T09:30:00Z' }, 'expiresAt'],
    ['an expiry after 60 days', { expiresAt: '2027-03-16T09:30:00.001Z' }, 'expiresAt'],
    [
      'an expiry after the start',
      {
        startsAt: '2027-01-20T09:00:00Z',
        endsAt: '2027-01-21T09:00:00Z',
        expiresAt: '2027-01-20T09:00:00.001Z',
      },
      'expiresAt',
    ],
    ['a lead that isn’t there', { leadId: 'lead_01h455vb4pex5vsknk084sn02q' }, 'leadId'],
    ['an end before the start', { endsAt: '2027-06-12T15:00:00Z' }, 'endsAt'],
    ['no space', { spaceId: undefined }, 'spaceId'],
    ['an empty list of spaces', { spaceId: undefined, spaceIds: [] }, 'spaceIds'],
  ])('is refused with %s', async (_, fields, field) => {
    expectRefusal(await tryPlace(client, { spaceId: hall, ...fields }), 422, { field });
  });

  test('expires at its start at the latest', async () => {
    const hold = await place(client, {
      ...{ spaceId: hall, startsAt: '2027-01-20T09:00:00Z', endsAt: '2027-01-20T10:00:00Z' },
    });
    expect(hold.expiresAt).toBe('2027-01-20T09:00:00.000Z');
  });
});

describe('the rank', () => {
  test('counts those ahead that overlap in a space, set-up and clearing included', async () => {
    const first = await place(client, { spaceId: hall });
    const second = await place(client, { spaceIds: [garden, hall] });
    const apart = await place(client, {
      spaceId: garden,
      startsAt: '2027-06-14T10:00:00Z',
      endsAt: '2027-06-14T11:00:00Z',
    });
    const inClearing = await place(client, {
      spaceId: hall,
      startsAt: '2027-06-13T03:30:00Z',
      endsAt: '2027-06-13T05:00:00Z',
    });
    const after = await place(client, {
      spaceId: garden,
      startsAt: '2027-06-13T01:00:00Z',
      endsAt: '2027-06-13T02:00:00Z',
    });
    expect(second).toMatchObject({ rank: 2, ahead: [first.id] });
    expect(apart.rank).toBe(1);
    expect(inClearing).toMatchObject({ rank: 3, ahead: [first.id, second.id] });
    expect(after.rank).toBe(1);
  });

  test('of those behind rises when one ends, and they are told', async () => {
    const holds = [await place(client, { spaceId: hall }), await place(client, { spaceId: hall })];
    holds.push(await place(client, { spaceId: hall }));
    const released = await act(client, holds[0]!, 'release');
    expect(released).toMatchObject({
      status: 200,
      body: { status: 'released', rank: null, ahead: null, endedReason: 'released', revision: 2 },
    });
    expect(await ranks(client, holds)).toEqual([null, 1, 2]);
    expect((await event(holds[0]!)).status).toBe('cancelled');
    const [, promoted] = await eventsOf(gala, holds[2]!.id);
    expect(promoted).toMatchObject({
      type: 'hold.promoted',
      data: { rank: 2, ahead: [holds[1]!.id], revision: 2 },
      previous: { rank: 3, ahead: [holds[0]!.id, holds[1]!.id] },
    });
    expect(promoted!.data).toEqual(await get(client, holds[2]!));
  });

  test('of the last that waits is the policy’s most', async () => {
    const holds = [];
    for (let place_ = 0; place_ < 5; place_++) holds.push(await place(client, { spaceId: hall }));
    const refused = await tryPlace(client, { spaceIds: [garden, hall] });
    expectRefusal(refused, 422, { field: 'spaceIds' });
    for (const { id } of holds) expect(refused.body.error.message).toContain(id);
  });
});

describe('a change', () => {
  test('of its words keeps its place, and changes the calendar', async () => {
    const hold = await place(client, { spaceId: hall });
    const second = await place(client, { spaceId: hall });
    const { body } = await patch(client, hold, {
      title: 'López',
      guests: 80,
      notes: 'Call',
      expiresAt: '2027-03-01T00:00:00Z',
    });
    expect(body).toMatchObject({
      title: 'López',
      guests: 80,
      rank: 1,
      revision: 2,
      expiresAt: '2027-03-01T00:00:00.000Z',
    });
    expect(await event(hold)).toMatchObject({ title: 'López', guests: 80 });
    expect(await typesOf(second)).toEqual(['hold.placed']);
    expect((await patch(client, hold, { title: 'López' })).body.revision).toBe(2);
    expect(await typesOf(hold)).toEqual(['hold.placed', 'hold.updated']);
  });

  test('to a part of its time keeps its place', async () => {
    const hold = await place(client, { spaceIds: [hall, garden] });
    await place(client, { spaceId: hall });
    const inGarden = await place(client, { spaceId: garden });
    const { body } = await patch(client, hold, { spaceIds: [hall], endsAt: '2027-06-12T23:00:00Z' });
    expect(body).toMatchObject({ rank: 1, spaceIds: [hall], endsAt: '2027-06-12T23:00:00.000Z' });
    expect(await event(hold)).toMatchObject({ spaceIds: [hall], endsAt: '2027-06-12T23:00:00.000Z' });
    expect((await get(client, inGarden)).rank).toBe(1);
  });

  test.each([
    ['a longer time', { endsAt: '2027-06-13T02:00:00Z' }],
    ['another day and back', { startsAt: '2027-06-19T16:00:00Z', endsAt: '2027-06-20T01:00:00Z' }],
    ['a further space', { spaceIds: ['hall', 'garden'] }],
  ])('to %s means a new place at the end', async (_, changes) => {
    const hold = await place(client, { spaceId: hall });
    const second = await place(client, { spaceId: hall });
    const named = 'spaceIds' in changes ? { spaceIds: [hall, garden] } : changes;
    await patch(client, hold, named);
    const { body } = await patch(client, hold, { ...SATURDAY, spaceIds: [hall] });
    expect(body).toMatchObject({ rank: 2, ahead: [second.id] });
    expect(await ranks(client, [hold, second])).toEqual([2, 1]);
    expect(await typesOf(second)).toContain('hold.promoted');
    expect(await typesOf(hold)).toContain('hold.demoted');
  });

  test('is refused for what has ended, and where something else stands', async () => {
    const hold = await place(client, { spaceId: hall });
    await plan(client, { ...WEDDING, spaceId: garden });
    expectRefusal(await patch(client, hold, { spaceIds: [hall, garden] }), 422, { field: 'spaceIds' });
    expect((await get(client, hold)).revision).toBe(1);
    await act(client, hold, 'release');
    expectRefusal(await patch(client, hold, { title: 'Again' }), 422, { field: 'status' });
    expect((await act(client, hold, 'release')).body).toEqual(await get(client, hold));
  });
});

describe('confirming', () => {
  test('makes the same calendar event an event, and ends the others', async () => {
    const hold = await place(client, { spaceId: hall, group: 'ana' });
    const rival = await place(client, { spaceIds: [hall, garden] });
    const alternative = await place(client, {
      spaceId: garden,
      group: 'ana',
      startsAt: '2027-06-19T10:00:00Z',
      endsAt: '2027-06-19T11:00:00Z',
    });
    const behindRival = await place(client, { spaceId: garden });
    expect((await act(client, hold, 'confirm')).body).toMatchObject({
      status: 'confirmed',
      endedReason: null,
      rank: null,
    });
    expect(await get(client, rival)).toMatchObject({ status: 'released', endedReason: 'outbooked' });
    expect(await get(client, alternative)).toMatchObject({
      status: 'released',
      endedReason: 'group_confirmed',
    });
    expect(await get(client, behindRival)).toMatchObject({ status: 'active', rank: 1 });
    expect(await event(hold)).toMatchObject({
      id: hold.calendarEventId,
      type: 'event',
      status: 'confirmed',
      sequence: 1,
    });
    expect((await event(rival)).status).toBe('cancelled');
    expect(await typesOf(hold)).toEqual(['hold.placed', 'hold.confirmed']);
    expect(await typesOf(rival)).toEqual(['hold.placed', 'hold.released']);
    expectRefusal(await tryPlace(client, { spaceId: hall }), 422, { field: 'spaceId' });
    expectRefusal(await act(client, hold, 'confirm'), 422, { field: 'status' });
    expectRefusal(await act(client, hold, 'release'), 422, { field: 'status' });
  });

  test('needs rank 1, unless it is said', async () => {
    const first = await place(client, { spaceId: hall });
    const second = await place(client, { spaceId: hall });
    const refused = await act(client, second, 'confirm');
    expectRefusal(refused, 422, { field: 'rank' });
    expect(refused.body.error.message).toContain(first.id);
    expect((await act(client, second, 'confirm', { overHolds: true })).status).toBe(200);
    expect(await get(client, first)).toMatchObject({ endedReason: 'outbooked' });
  });

  test('takes the set-up and clearing of its placing, whatever they are then', async () => {
    const hold = await place(client, { spaceId: hall });
    await client.patch(`/v1/spaces/${hall}`, { setupMinutes: 600, clearingMinutes: 600 });
    await plan(client, {
      ...WEDDING,
      type: 'block',
      spaceId: hall,
      startsAt: '2027-06-12T10:00:00Z',
      endsAt: '2027-06-12T14:00:00Z',
    });
    expect((await act(client, hold, 'confirm')).status).toBe(200);
  });

  test('an event that is cancelled later doesn’t bring the hold back', async () => {
    const hold = await place(client, { spaceId: hall });
    await act(client, hold, 'confirm');
    expect((await client.delete(`/v1/calendar-events/${hold.calendarEventId}`)).status).toBe(200);
    expect((await get(client, hold)).status).toBe('confirmed');
    expect((await place(client, { spaceId: hall })).rank).toBe(1);
  });
});
