import { ValidationFailed } from '../../src/kernel/errors';
import type { CalendarEventChange, CalendarEventCreation } from '../../src/modules/calendar';
import type { LeadId, SpaceId } from '../../src/kernel/ids';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { startGala, type TestGala } from '../support/start-gala';
import { expectRefused, HouseRules } from './support';

const rules = new HouseRules();
let gala: TestGala;
let client: Client;
let garden: SpaceId;
let hall: SpaceId;
beforeAll(async () => {
  gala = await startGala({ extensions: [rules.extension] });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  rules.forget();
  client = await (await gala.createWorkspace()).client();
  [garden, hall] = (await Promise.all(
    ['Garden', 'Hall'].map(async (name) => (await client.post('/v1/spaces', { name })).body.id),
  )) as [SpaceId, SpaceId];
});

const TIMES = { startsAt: '2027-06-12T16:00:00.000Z', endsAt: '2027-06-12T22:00:00.000Z' };
const plan = (fields: object = {}) =>
  client.post('/v1/calendar-events', { type: 'event', title: 'Wedding', ...TIMES, ...fields });
const change = (id: string, fields: object) => client.patch(`/v1/calendar-events/${id}`, fields);

test('a policy gets the fields that are given, with spaces as a list, and changes them', async () => {
  const seen: CalendarEventCreation[] = [];
  rules.calendarEvents.beforeCreate = (creation) => {
    seen.push(creation);
    return { spaceIds: [garden, hall], endsAt: '2027-06-12T23:00:00.000Z' };
  };
  const { status, body } = await plan({ spaceId: garden, guests: null });
  expect(status).toBe(201);
  expect(body).toMatchObject({ spaceIds: [garden, hall], endsAt: '2027-06-12T23:00:00.000Z' });
  expect(seen).toMatchObject([{ caller: { type: 'api_key' } }]);
  expect(seen[0]!.fields).toEqual({ type: 'event', title: 'Wedding', ...TIMES, spaceIds: [garden] });
});

test('a space that a policy adds is booked, and can be taken', async () => {
  await plan({ spaceId: hall });
  rules.calendarEvents.beforeCreate = () => ({ spaceIds: [hall] });
  expect(await plan()).toMatchObject({ status: 422, body: { error: { field: 'spaceId' } } });
  rules.calendarEvents.beforeCreate = () => ({ spaceIds: ['space_01h455vb4pex5vsknk084sn02q'] });
  expect(await plan({ spaceId: hall })).toMatchObject({
    status: 422,
    body: { error: { field: 'spaceIds' } },
  });
});

test('problems with spaces that a policy left alone name the caller’s field', async () => {
  rules.calendarEvents.beforeCreate = () => ({ description: 'Under the trees' });
  const { body } = await plan({ spaceId: 'space_01h455vb4pex5vsknk084sn02q' });
  expect(body.error.field).toBe('spaceId');
});

test.each([
  [{ startsAt: 'tomorrow' }, 'startsAt'],
  [{ endsAt: '2027-06-12T10:00:00.000Z' }, 'endsAt'],
  [{ timeZone: 'Europe/Nowhere' }, 'timeZone'],
  [{ spaceIds: null }, 'spaceIds'],
])('what it returns is validated: %j', async (returned, field) => {
  rules.calendarEvents.beforeCreate = () => returned as never;
  expect(await plan()).toMatchObject({ status: 422, body: { error: { field } } });
});

test('a visit that it gives to another lead, or to none, moves on the lead that has it', async () => {
  const [asked, other] = [await createLead(client), await createLead(client)];
  const stages = async () =>
    Promise.all([asked, other].map(async ({ id }) => (await client.get(`/v1/leads/${id}`)).body.stage));
  const book = () => client.post(`/v1/leads/${asked.id}/visits`, { startsAt: TIMES.startsAt });
  rules.calendarEvents.beforeCreate = () => ({ leadId: null });
  expect(await book()).toMatchObject({ status: 201, body: { leadId: null } });
  expect(await stages()).toEqual(['new_enquiry', 'new_enquiry']);
  rules.calendarEvents.beforeCreate = () => ({ leadId: other.id as LeadId });
  expect(await book()).toMatchObject({ status: 201, body: { leadId: other.id } });
  expect(await stages()).toEqual(['new_enquiry', 'visit_booked']);
});

test('it can refuse what is planned, moved, cancelled and restored', async () => {
  const { body: event } = await plan({ spaceId: garden });
  const { body: other } = await plan();
  await client.delete(`/v1/calendar-events/${other.id}`);
  const seen: CalendarEventChange[] = [];
  rules.calendarEvents = {
    beforeCreate() {
      throw new ValidationFailed({ field: 'startsAt', message: 'is a holiday' });
    },
    beforeChange(change) {
      seen.push(change);
      throw new ValidationFailed({ field: 'status', message: `not ${Object.keys(change.changes).join()}` });
    },
  };
  expectRefused(await plan(), 'startsAt', 'is a holiday');
  expectRefused(await change(event.id, { startsAt: '2027-06-12T17:00:00.000Z' }), 'status', 'not startsAt');
  expectRefused(await client.delete(`/v1/calendar-events/${event.id}`), 'status', 'not status');
  expectRefused(await change(other.id, { status: 'confirmed' }), 'status', 'not status');
  expect(JSON.parse(JSON.stringify(seen[0]!.event))).toEqual(event);
  expect(seen.map(({ changes }) => changes.status)).toEqual([undefined, 'cancelled', 'confirmed']);
  expect((await client.get(`/v1/calendar-events/${event.id}`)).body).toEqual(event);
});

test('it makes further changes, and frees a space', async () => {
  const { body: event } = await plan({ spaceIds: [garden, hall] });
  rules.calendarEvents.beforeChange = ({ event, changes }) =>
    changes.guests ? { title: `${event.title} (${changes.guests})`, spaceIds: [garden] } : undefined;
  expect((await change(event.id, { guests: 40 })).body).toMatchObject({
    title: 'Wedding (40)',
    spaceIds: [garden],
  });
  expect((await plan({ spaceId: hall })).status).toBe(201);
});

test('it isn’t asked about what changes nothing or can’t be changed', async () => {
  const { body: event } = await plan();
  await client.delete(`/v1/calendar-events/${event.id}`);
  const asked = jest.fn();
  rules.calendarEvents.beforeChange = asked;
  expect((await client.delete(`/v1/calendar-events/${event.id}`)).status).toBe(200);
  expect((await change(event.id, { title: 'Lunch' })).body.error.field).toBe('status');
  expect(asked).not.toHaveBeenCalled();
});
