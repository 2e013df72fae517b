import { newId } from '../../src/kernel/ids';
import { createSpace, listEvents, plan, titlesIn, WEDDING } from '../support/calendar';
import { eventsOf } from '../support/events';
import { expectRefusal } from '../support/expect-refusal';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
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

const path = ({ id }: { id: string }) => `/v1/calendar-events/${id}`;
const planFaulty = async (fields: object, field: string) =>
  expectRefusal(await client.post('/v1/calendar-events', { ...WEDDING, ...fields }), 422, { field });

describe('planning', () => {
  test('needs a type, a title and a time, and answers the whole event', async () => {
    const answer = await client.post('/v1/calendar-events', WEDDING);
    expect(answer.status).toBe(201);
    expect(answer.headers.location).toBe(path(answer.body));
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^cal_[0-9a-z]{26}$/),
      type: 'event',
      title: 'Wedding',
      description: null,
      startsAt: '2027-06-12T16:00:00.000Z',
      endsAt: '2027-06-13T01:00:00.000Z',
      timeZone: 'Europe/Madrid',
      allDay: false,
      location: null,
      spaceId: null,
      spaceIds: [],
      leadId: null,
      guests: null,
      status: 'confirmed',
      sequence: 0,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: answer.body.createdAt,
      revision: 1,
    });
    expect((await client.get(path(answer.body))).body).toEqual(answer.body);
  });

  test('takes everything that can be said of an event', async () => {
    const { id: leadId } = await createLead(client);
    const [hall, terrace] = [await createSpace(client), await createSpace(client, { name: 'Terrace' })];
    const fields = {
      type: 'event',
      title: 'Boda 💍',
      description: 'Two\nlines',
      startsAt: '2027-06-12T18:00:00+02:00',
      endsAt: '2027-06-12T19:30:00.5+02:00',
      timeZone: 'Asia/Kathmandu',
      allDay: false,
      location: 'By the river',
      spaceIds: [terrace.id, hall.id, terrace.id],
      leadId,
      guests: 120,
    };
    expect(await plan(client, fields)).toMatchObject({
      ...fields,
      startsAt: '2027-06-12T16:00:00.000Z',
      endsAt: '2027-06-12T17:30:00.500Z',
      spaceId: terrace.id,
      spaceIds: [terrace.id, hall.id],
    });
  });

  test('lasts an hour, or that day, when no end is given', async () => {
    expect(await plan(client, { endsAt: undefined })).toMatchObject({ endsAt: '2027-06-12T17:00:00.000Z' });
    expect(await plan(client, { startsAt: '2027-06-12', endsAt: undefined })).toMatchObject({
      startsAt: '2027-06-12',
      endsAt: '2027-06-13',
      allDay: true,
    });
  });

  test('takes midnights of its zone for the days of an all-day event', async () => {
    const [startsAt, endsAt] = ['2027-03-28T00:00:00+01:00', '2027-03-29T00:00:00+02:00'];
    const event = await plan(client, { allDay: true, startsAt, endsAt });
    expect(event).toMatchObject({ startsAt: '2027-03-28', endsAt: '2027-03-29' });
  });

  test('null is the same as absent', async () => {
    const event = await plan(client);
    const nothing = {
      description: null,
      endsAt: null,
      timeZone: null,
      allDay: null,
      spaceId: null,
      leadId: null,
    };
    const other = await plan(client, nothing as object);
    const { id, endsAt, createdAt, updatedAt } = other;
    expect(other).toEqual({ ...event, id, endsAt, createdAt, updatedAt });
  });

  test.each([
    ['type', { type: 'party' }],
    ['type', { type: null }],
    ['title', { title: ' ' }],
    ['title', { title: 'x'.repeat(301) }],
    ['startsAt', { startsAt: undefined }],
    ['startsAt', { startsAt: '2027-06-12T16:00:00' }],
    ['startsAt', { startsAt: '2027-02-29' }],
    ['startsAt', { startsAt: 1_800_000_000 }],
    ['startsAt', { startsAt: '9999-12-31' }],
    ['startsAt', { startsAt: '1899-12-31T23:59:59Z' }],
    ['startsAt', { startsAt: '2027-06-12T16:00:00Z', allDay: true }],
    ['startsAt', { startsAt: '2027-06-12', endsAt: '2027-06-13', allDay: false }],
    ['startsAt', { startsAt: '2011-12-30', endsAt: '2011-12-31', timeZone: 'Pacific/Apia' }],
    ['endsAt', { endsAt: '2027-06-12T16:00:00Z' }],
    ['endsAt', { endsAt: '2027-06-12T15:59:59.999Z' }],
    ['endsAt', { endsAt: '2027-06-13' }],
    ['endsAt', { startsAt: '2027-06-12', endsAt: '2027-06-12' }],
    ['endsAt', { startsAt: '2027-06-12', endsAt: '2027-06-13T01:00:00Z' }],
    ['endsAt', { startsAt: '2027-01-01', endsAt: '2028-01-03' }],
    ['endsAt', { endsAt: '2028-06-12T16:00:00.001Z', startsAt: '2027-06-12T16:00:00Z' }],
    ['timeZone', { timeZone: 'GMT-05:00' }],
    ['timeZone', { timeZone: 'America/Pacific' }],
    ['timeZone', { timeZone: '' }],
    ['timeZone', { timeZone: '../etc' }],
    ['timeZone', { timeZone: 'europe/madrid' }],
    ['allDay', { allDay: 'true' }],
    ['spaceId', { spaceId: 'space_nowhere' }],
    ['spaceId', { spaceId: newId('space') }],
    ['spaceIds', { spaceIds: [newId('cal')] }],
    ['spaceIds', { spaceIds: 'all' }],
    ['spaceIds', { spaceId: newId('space'), spaceIds: [newId('space')] }],
    ['spaceIds', { spaceIds: Array.from({ length: 21 }, () => newId('space')) }],
    ['leadId', { leadId: newId('lead') }],
    ['leadId', { leadId: newId('cal') }],
    ['leadId', { leadId: 7 }],
    ['guests', { guests: 0 }],
    ['status', { status: 'cancelled' }],
    ['id', { id: newId('cal') }],
    ['sequence', { sequence: 3 }],
  ])('is refused with 422 %s for %j', (field, fields) => planFaulty(fields, field));

  test('for a lead or in a space that is archived is refused', async () => {
    const lead = await createLead(client);
    await client.delete(`/v1/leads/${lead.id}`);
    await planFaulty({ leadId: lead.id }, 'leadId');
    const space = await createSpace(client);
    await client.delete(`/v1/spaces/${space.id}`);
    await planFaulty({ spaceId: space.id }, 'spaceId');
    await planFaulty({ spaceIds: [space.id] }, 'spaceIds');
  });
});

describe('changing', () => {
  test('changes what is given and nothing else, and counts', async () => {
    const event = await plan(client, { description: 'Old', guests: 5 });
    const answer = await client.patch(path(event), {
      title: 'Party',
      guests: null,
      startsAt: '2027-06-12T17:00:00Z',
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...event,
      title: 'Party',
      guests: null,
      startsAt: '2027-06-12T17:00:00.000Z',
      sequence: 1,
      updatedAt: answer.body.updatedAt,
      revision: 2,
    });
    expect((await client.get(path(event))).body).toEqual(answer.body);
  });

  test('to what is there already does nothing', async () => {
    const event = await plan(client);
    expect((await client.patch(path(event), {})).body).toEqual(event);
    expect((await client.patch(path(event), { ...WEDDING, spaceIds: [], status: 'confirmed' })).body).toEqual(
      event,
    );
    expect((await eventsOf(gala, event.id)).map(({ type }) => type)).toEqual(['calendar_event.created']);
  });

  test('from a time to whole days and back needs both ends', async () => {
    const event = await plan(client);
    for (const change of [{ allDay: true }, { startsAt: '2027-06-12' }, { endsAt: '2027-06-14' }]) {
      expectRefusal(await client.patch(path(event), change), 422);
    }
    const days = { startsAt: '2027-06-12', endsAt: '2027-06-14' };
    expect((await client.patch(path(event), days)).body).toMatchObject({ ...days, allDay: true });
    const times = { startsAt: '2027-06-12T10:00:00.000Z', endsAt: '2027-06-12T11:00:00.000Z' };
    expect((await client.patch(path(event), times)).body).toMatchObject({ ...times, allDay: false });
  });

  test('the zone of whole days moves them, of a time it doesn’t', async () => {
    const days = await plan(client, { title: 'Days', startsAt: '2027-06-12', endsAt: '2027-06-13' });
    const time = await plan(client, { title: 'Time' });
    for (const event of [days, time]) await client.patch(path(event), { timeZone: 'Pacific/Kiritimati' });
    expect((await client.get(path(days))).body).toMatchObject({ startsAt: '2027-06-12', sequence: 1 });
    expect((await client.get(path(time))).body).toMatchObject({ startsAt: time.startsAt, sequence: 1 });
    // Midnight on Kiritimati is noon of the day before in Madrid.
    expect(await titlesIn(client, '2027-06-11', '2027-06-11')).toEqual(['Days']);
  });

  test('is refused for a faulty value, an unknown field, an unknown event', async () => {
    const event = await plan(client);
    const refuse = async (change: object, field: string) =>
      expectRefusal(await client.patch(path(event), change), 422, { field });
    await refuse({ title: null }, 'title');
    await refuse({ timeZone: null }, 'timeZone');
    await refuse({ endsAt: '2027-06-12T15:00:00Z' }, 'endsAt');
    await refuse({ startsAt: '2027-06-13T01:00:00Z' }, 'endsAt');
    await refuse({ leadId: newId('lead') }, 'leadId');
    await refuse({ spaceIds: [newId('space')] }, 'spaceIds');
    await refuse({ spaceIds: [], spaceId: null }, 'spaceIds');
    await refuse({ colour: 'red' }, 'colour');
    await refuse({ status: 'tentative' }, 'status');
    expectRefusal(await client.patch(`/v1/calendar-events/${newId('cal')}`, { title: 'X' }), 404);
    expect((await client.get(path(event))).body).toEqual(event);
  });

  test('keeps a lead and a space that were archived since', async () => {
    const [lead, space] = [await createLead(client), await createSpace(client)];
    const event = await plan(client, { leadId: lead.id, spaceId: space.id });
    await client.delete(`/v1/leads/${lead.id}`);
    await client.delete(`/v1/spaces/${space.id}`);
    const change = {
      title: 'Still',
      leadId: lead.id,
      spaceIds: [space.id],
      startsAt: '2027-06-12T17:00:00.000Z',
    };
    expect((await client.patch(path(event), change)).body).toMatchObject(change);
    expect((await client.patch(path(event), { leadId: null, spaceId: null })).body).toMatchObject({
      leadId: null,
      spaceIds: [],
    });
  });

  test('two fields at once in two requests, both survive', async () => {
    const event = await plan(client);
    await Promise.all([client.patch(path(event), { title: 'A' }), client.patch(path(event), { guests: 9 })]);
    expect((await client.get(path(event))).body).toMatchObject({ title: 'A', guests: 9, sequence: 2 });
  });
});

describe('cancelling', () => {
  test('keeps the event, the same again when repeated, and is undone by its status', async () => {
    const event = await plan(client);
    const { status, body } = await client.delete(path(event));
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'cancelled', sequence: 1 } });
    expect((await client.delete(path(event))).body).toEqual(body);
    expect((await client.patch(path(event), { status: 'cancelled' })).body).toEqual(body);
    expect((await client.get(path(event))).body).toEqual(body);
    expectRefusal(await client.patch(path(event), { title: 'New' }), 422, { field: 'status' });
    const restored = await client.patch(path(event), { status: 'confirmed', title: 'New' });
    expect(restored.body).toMatchObject({ status: 'confirmed', title: 'New', sequence: 2 });
    expectRefusal(await client.delete(`/v1/calendar-events/${newId('cal')}`), 404);
  });

  test('takes it out of lists that don’t ask for it', async () => {
    const event = await plan(client, { title: 'Off' });
    await plan(client, { title: 'On', startsAt: '2027-06-12T17:00:00Z' });
    await client.delete(path(event));
    const day = (status?: string) => titlesIn(client, '2027-06-12', '2027-06-12', status ? { status } : {});
    expect(await day()).toEqual(['On']);
    expect(await day('confirmed')).toEqual(['On']);
    expect(await day('cancelled')).toEqual(['Off']);
    expect(await day('all')).toEqual(['Off', 'On']);
  });
});

test('every change is told, with what was before', async () => {
  const event = await plan(client);
  await client.patch(path(event), { title: 'Party' });
  await client.delete(path(event));
  await client.patch(path(event), { status: 'confirmed' });
  const now = (await client.get(path(event))).body;
  const told = await eventsOf(gala, event.id);
  expect(told.map(({ type }) => type)).toEqual([
    'calendar_event.created',
    'calendar_event.updated',
    'calendar_event.cancelled',
    'calendar_event.updated',
  ]);
  expect(told[0]).toMatchObject({ data: event, previous: null, mode: 'live' });
  expect(told[1]!.previous).toEqual({
    title: 'Wedding',
    sequence: 0,
    updatedAt: event.updatedAt,
    revision: 1,
  });
  expect(told[2]!.previous).toMatchObject({ status: 'confirmed', sequence: 1 });
  expect(told[3]).toMatchObject({ data: now, previous: { status: 'cancelled', sequence: 2 } });
});

test('a workspace and mode sees its own alone', async () => {
  const workspace = await gala.createWorkspace();
  const mine = await workspace.client();
  const space = await createSpace(mine);
  const lead = await createLead(mine);
  const event = await plan(mine, { spaceId: space.id, leadId: lead.id });
  for (const stranger of [client, await workspace.client('test')]) {
    const unknown = newId('cal');
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { title: 'Mine' } : undefined;
      const refused = await stranger.request(method, path(event), body);
      expectRefusal(refused, 404);
      const never = await stranger.request(method, `/v1/calendar-events/${unknown}`, body);
      expect(refused.text.replace(refused.body.error.requestId, '')).toBe(
        never.text.replace(never.body.error.requestId, ''),
      );
    }
    expectRefusal(await stranger.get(`/v1/spaces/${space.id}`), 404);
    expectRefusal(await stranger.patch(`/v1/spaces/${space.id}`, { name: 'Mine' }), 404);
    expectRefusal(
      await stranger.post(`/v1/leads/${lead.id}/visits`, { startsAt: '2027-02-03T10:00:00Z' }),
      404,
    );
    expectRefusal(await stranger.post('/v1/calendar-events', { ...WEDDING, spaceId: space.id }), 422, {
      field: 'spaceId',
    });
    expectRefusal(await stranger.post('/v1/calendar-events', { ...WEDDING, leadId: lead.id }), 422, {
      field: 'leadId',
    });
    expect((await listEvents(stranger, { from: '2027-06-12', to: '2027-06-13' })).body.pagination.total).toBe(
      0,
    );
    expect((await stranger.get('/v1/spaces')).body.data).toEqual([]);
    expect(
      (await stranger.get('/v1/availability?from=2027-06-12&to=2027-06-12')).body.days[0].spaces,
    ).toEqual([]);
  }
  expect((await mine.get(path(event))).body).toEqual(event);
});
