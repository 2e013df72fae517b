import { newId } from '../../src/kernel/ids';
import { createSpace, plan, titlesIn } from '../support/calendar';
import { allEvents } from '../support/events';
import { expectRefusal } from '../support/expect-refusal';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

const AT = { startsAt: '2027-02-03T10:00:00Z' };

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});
afterAll(() => gala.stop());

const book = (leadId: string, body: object = AT) => client.post(`/v1/leads/${leadId}/visits`, body);
const stageOf = async (id: string) => (await client.get(`/v1/leads/${id}`)).body.stage;

test('a visit is an hour long, named after the lead, and moves the lead on', async () => {
  const lead = await createLead(client, { name: 'Ana Pérez' });
  const { status, body, headers } = await book(lead.id);
  expect({ status, location: headers.location }).toEqual({
    status: 201,
    location: `/v1/calendar-events/${body.id}`,
  });
  expect(body).toMatchObject({
    type: 'visit',
    title: 'Ana Pérez',
    startsAt: '2027-02-03T10:00:00.000Z',
    endsAt: '2027-02-03T11:00:00.000Z',
    leadId: lead.id,
    allDay: false,
  });
  expect(await stageOf(lead.id)).toBe('visit_booked');
  const types = (await allEvents(gala, workspace.id)).map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(['calendar_event.created', 'lead.stage_changed']));
});

test('it takes what else there is to say, and shares its space', async () => {
  const [lead, space] = [await createLead(client), await createSpace(client)];
  await plan(client, { type: 'block', spaceId: space.id, startsAt: '2027-02-03', endsAt: '2027-02-04' });
  const fields = {
    startsAt: '2027-02-03T10:00:00.000Z',
    endsAt: '2027-02-03T10:20:00.000Z',
    timeZone: 'Europe/Lisbon',
    title: 'Second look',
    description: 'With the parents',
    location: 'Gate 2',
    spaceIds: [space.id],
    guests: 4,
  };
  expect((await book(lead.id, fields)).body).toMatchObject(fields);
  expect((await book(lead.id)).body.title).toBe('Site visit');
});

test.each(['proposal_sent', 'confirmed'])('a lead at %s stays there', async (stage) => {
  const lead = await createLead(client, { stage });
  expect((await book(lead.id)).status).toBe(201);
  expect(await stageOf(lead.id)).toBe(stage);
});

test('a refused visit moves nobody', async () => {
  const lead = await createLead(client);
  for (const [field, body] of [
    ['startsAt', {}],
    ['startsAt', { startsAt: '2027-02-03' }],
    ['endsAt', { ...AT, endsAt: '2027-02-03T09:00:00Z' }],
    ['spaceId', { ...AT, spaceId: newId('space') }],
    ['type', { ...AT, type: 'event' }],
    ['leadId', { ...AT, leadId: lead.id }],
  ] as const) {
    expectRefusal(await book(lead.id, body), 422, { field });
  }
  expect(await stageOf(lead.id)).toBe('new_enquiry');
  expect(await titlesIn(client, '2027-02-03', '2027-02-03')).toEqual([]);
});

test.each(['new_enquiry', 'confirmed'])(
  'an archived lead at %s gets none, an unknown one is 404',
  async (stage) => {
    const lead = await createLead(client, { stage });
    await client.delete(`/v1/leads/${lead.id}`);
    expectRefusal(await book(lead.id), 422, { field: 'archivedAt' });
    expectRefusal(await book(newId('lead')), 404);
    expect(await titlesIn(client, '2027-02-03', '2027-02-03')).toEqual([]);
  },
);

describe('a caller who may read neither the calendar nor leads', () => {
  let writer: Client;
  beforeEach(async () => {
    writer = await workspace.client('live', ['calendar:write']);
  });

  test('gets no name from a lead’s id', async () => {
    const lead = await createLead(client, { name: 'Ana Pérez' });
    const answer = await writer.post(`/v1/leads/${lead.id}/visits`, AT);
    expect(answer).toMatchObject({ status: 201, body: { type: 'visit', title: 'Site visit' } });
    const path = `/v1/calendar-events/${answer.body.id}`;
    expect((await client.get(path)).body).toEqual({ ...answer.body, title: 'Ana Pérez' });
    expect((await writer.patch(path, { type: 'event' })).body.title).toBe('Event');
    expect((await writer.delete(path)).body.title).toBe('Event');
    expect(await titlesIn(client, '2027-02-03', '2027-02-03')).toEqual([]);
  });

  test('sees the titles that it sends', async () => {
    const lead = await createLead(client, { name: 'Ana Pérez' });
    const { body } = await writer.post(`/v1/leads/${lead.id}/visits`, { ...AT, title: 'Second look' });
    expect(body.title).toBe('Second look');
    const changed = await writer.patch(`/v1/calendar-events/${body.id}`, { title: 'Third look' });
    expect(changed.body.title).toBe('Third look');
    const planned = await writer.post('/v1/calendar-events', { ...AT, type: 'hold', title: 'Maybe' });
    expect(planned.body.title).toBe('Maybe');
  });

  test.each(['calendar:read', 'leads:read'])('sees the name with %s', async (scope) => {
    const lead = await createLead(client, { name: 'Ana Pérez' });
    const reader = await workspace.client('live', ['calendar:write', scope]);
    expect((await reader.post(`/v1/leads/${lead.id}/visits`, AT)).body.title).toBe('Ana Pérez');
  });
});

test('needs calendar:write', async () => {
  const lead = await createLead(client);
  const others = await workspace.client('live', ['leads:write', 'calendar:read']);
  expectRefusal(await others.post(`/v1/leads/${lead.id}/visits`, AT), 403, { scope: 'calendar:write' });
});
