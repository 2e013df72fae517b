import { Module } from '@nestjs/common';
import { features } from '../../src/features';
import { OPERATOR } from '../../src/kernel/actor';
import { Clock } from '../../src/kernel/clock';
import { readableWith } from '../../src/kernel/event-types';
import { UninstallApp } from '../../src/modules/oauth';
import { SettleJob } from '../../src/modules/holds/infrastructure/settle-job';
import { ExpiryJob } from '../../src/modules/proposals/infrastructure/expiry-job';
import { ResponseJob } from '../../src/modules/reports/infrastructure/response-job';
import { DueJob } from '../../src/modules/tasks/infrastructure/due-job';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import { log } from '../activities/support';
import { conversationOf, leadWith, MAGIC, send as sendMessage, withStatus } from '../messages/support';
import { newApp } from '../oauth/support';
import { draft, pathOf, sent, visitor } from '../proposals/support';
import { createSpace, plan } from '../support/calendar';
import { allEvents } from '../support/events';
import { act, holdFields, place } from '../holds/support';
import { createTask } from '../tasks/support';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { addField } from '../support/fields';
import { check, importFile } from '../imports/support';
import { createLead } from '../support/leads';
import { addReason, addStage } from '../support/stages';
import { startGala, type TestGala } from '../support/start-gala';
import { type Document, resolve, SchemaValidator } from './schema-validator';

let gala: TestGala;
let clock: FakeClock;
let client: Client;
let document: Document;
let validator: SchemaValidator;
beforeAll(async () => {
  clock = new FakeClock();
  gala = await startGala({
    configuration: { webhookAllowedNetworks: ['127.0.0.0/8'] },
    overrides: [{ provide: Clock, useValue: clock }],
  });
  gala.app.get(BackgroundJobs).start();
  client = await (await gala.createWorkspace()).client('test');
  document = (await gala.anonymous.get('/openapi.json')).body;
  validator = new SchemaValidator(document, { closed: true });
});
afterAll(() => gala.stop());

const schemaOf = (type: string, of = document) =>
  of.webhooks[type].post.requestBody.content['application/json'].schema;

async function changeLeads(): Promise<void> {
  const { id } = await createLead(client, { phone: '+34600123456', tags: ['vip'] });
  const path = `/v1/leads/${id}`;
  await client.patch(path, { guests: 120, eventDate: '2027-06-12' });
  await client.patch(path, { stage: 'visit_booked' });
  const [member] = (await client.get('/v1/members')).body.data;
  await client.patch(path, { ownerId: member.id });
  await client.delete(path);
  await client.post(`${path}/restore`);
}

async function respondToLeads(): Promise<void> {
  await client.patch('/v1/response-target', { minutes: 15 });
  const { id } = await createLead(client);
  await createLead(client);
  await client.patch(`/v1/leads/${id}`, { stage: 'contacted' });
  clock.advance(15 * 60);
  await gala.app.get(ResponseJob, { strict: false }).announceAll();
  await client.patch('/v1/response-target', { minutes: null });
}

async function changeActivities(): Promise<void> {
  const { id: leadId } = await createLead(client);
  const { id } = await log(client, leadId, { externalId: 'call-1' });
  const path = `/v1/leads/${leadId}/activities/${id}`;
  await client.patch(path, { direction: null });
  await client.delete(path);
}

async function changeHolds(): Promise<void> {
  const fields = await holdFields(client);
  const [first, second] = [await place(client, fields), await place(client, fields)];
  await act(client, second, 'challenge');
  await act(client, second, 'withdraw-challenge');
  await client.patch(`/v1/holds/${first.id}`, { endsAt: '2927-06-13T02:00:00Z' });
  await client.patch(`/v1/holds/${first.id}`, { expiresAt: new Date(clock.now().getTime() + 3_600_000) });
  await act(client, second, 'release');
  clock.advance(7200);
  await gala.app.get(SettleJob, { strict: false }).settleAll();
  await act(client, await place(client, fields), 'confirm');
}

async function changeTasks(): Promise<void> {
  const { id: leadId } = await createLead(client);
  const { id } = await createTask(client, { leadId, dueAt: clock.now().toISOString() });
  await gala.app.get(DueJob, { strict: false }).announceAll();
  const path = `/v1/tasks/${id}`;
  await client.patch(path, { notes: 'The vegetarian one.', dueOn: '2027-02-01' });
  await client.post(`${path}/complete`);
  await client.post(`${path}/reopen`);
}

async function changeStages(): Promise<void> {
  await addStage(client, 'tasting');
  await client.patch('/v1/stages/tasting', { name: 'Menu tasting', requiredFields: ['phone'] });
  await client.post('/v1/stages/tasting/archive');
  await client.post('/v1/stages/tasting/restore');
  const { id } = await addReason(client, 'Over budget');
  await client.patch(`/v1/lost-reasons/${id}`, { name: 'Too dear' });
  await client.delete(`/v1/lost-reasons/${id}`);
}

async function changeFields(): Promise<void> {
  const options = [{ value: 'garden', label: 'Garden' }];
  const { id } = await addField(client, 'room', { type: 'select', options });
  const path = `/v1/lead-fields/${id}`;
  await client.patch(path, { label: 'Preferred room', description: 'Where the party wants to be.' });
  const { id: leadId } = await createLead(client, { custom: { room: 'garden' } });
  await client.patch(`/v1/leads/${leadId}`, { custom: { room: null } });
  await client.delete(path);
  await client.post(`${path}/restore`);
}

async function changeProposals(): Promise<void> {
  const { id } = await draft(client, { deposit: { percent: 30 } });
  await client.patch(`/v1/proposals/${id}`, { title: 'Party' });
  await sent(client, { validUntil: '2027-01-16' });
  const who = visitor(gala.baseUrl);
  const accepted = pathOf(await sent(client));
  await who.get(accepted);
  await who.submit(`${accepted}/accept`, { name: 'Ana Pérez', consent: 'yes' }, { on: accepted });
  const declined = pathOf(await sent(client));
  await who.submit(`${declined}/decline`, { reason: 'Too far', decline: 'yes' }, { on: declined });
  clock.advance(3 * 24 * 60 * 60);
  await gala.app.get(ExpiryJob, { strict: false }).expireAll();
}

async function changeMessages(): Promise<void> {
  const { id } = await leadWith(client, MAGIC.replies);
  await sendMessage(client, id);
  await conversationOf(client, id, 2);
  await client.post(`/v1/leads/${id}/opt-out`);
  await client.post(`/v1/leads/${id}/opt-in`);
  const ends = { [MAGIC.read]: 'read', [MAGIC.unknown]: 'failed' };
  for (const [phone, status] of Object.entries(ends)) {
    const { body } = await sendMessage(client, (await leadWith(client, phone)).id);
    await withStatus(client, body.id, status);
  }
}

async function changeCalendar(): Promise<void> {
  const space = await createSpace(client);
  const { id } = await plan(client, { spaceIds: [space.id], guests: 120 });
  await client.patch(`/v1/calendar-events/${id}`, { title: 'Party' });
  await client.delete(`/v1/calendar-events/${id}`);
}

async function changeAccess(): Promise<void> {
  const key = await client.post('/v1/api-keys', { name: 'Website', scopes: ['leads:read'] });
  await client.delete(`/v1/api-keys/${key.body.id}`);
  const endpoint = await client.post('/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['*'] });
  await client.post(`/v1/webhooks/${endpoint.body.id}/test`);
  const app = await newApp(gala);
  await app.install();
  await gala.app.get(UninstallApp, { strict: false }).everywhere(app.id, OPERATOR);
}

async function importLeads(): Promise<void> {
  await importFile(client, 'Email\nana@example.com\n');
  expect(await check(client, '')).toMatchObject({ status: 'failed' });
}

test('one event of each type contains what its schema says, and nothing else', async () => {
  await changeLeads();
  await importLeads();
  await respondToLeads();
  await changeActivities();
  await changeTasks();
  await changeHolds();
  await changeStages();
  await changeFields();
  await changeMessages();
  await changeCalendar();
  await changeAccess();
  await changeProposals();
  const events = (await allEvents(gala)).map(({ previous, ...event }) => ({
    ...event,
    apiVersion: 'v1',
    ...(previous !== null && { previous }),
  }));
  expect([...new Set(events.map(({ type }) => type))].sort()).toEqual(Object.keys(document.webhooks).sort());
  for (const event of events) {
    const problems = validator.problems(schemaOf(event.type), event);
    expect({ type: event.type, problems }).toEqual({ type: event.type, problems: [] });
  }
});

test('an event fits the schema of its own type alone', async () => {
  const { id } = await createLead(client);
  const { body } = await client.get('/v1/events?type=lead.created&limit=1');
  const [event] = body.data;
  expect(event.data.id).toBe(id);
  const any = resolve(document, document.components.schemas.EventList.properties.data.items);
  expect(validator.problems(any, event)).toEqual([]);
  expect(validator.problems(any, { ...event, type: 'lead.won' })).not.toEqual([]);
  expect(validator.problems(any, { ...event, type: 'message.sent' })).not.toEqual([]);
  expect(validator.problems(any, { ...event, data: { ...event.data, budget: 1 } })).not.toEqual([]);
});

test('each webhook says when it is sent and which scope it needs, and any event is one of them', () => {
  const { oneOf, discriminator } = document.components.schemas.Event;
  expect(discriminator.propertyName).toBe('type');
  expect(Object.values(discriminator.mapping)).toEqual(oneOf.map(({ $ref }: { $ref: string }) => $ref));
  expect(document.webhooks['lead.stage_changed'].post).toMatchObject({
    operationId: 'onLeadStageChanged',
    summary: 'A lead was moved to another stage',
    'x-required-scope': 'leads:read',
    security: [],
  });
  for (const [type, $ref] of Object.entries(discriminator.mapping)) {
    expect(schemaOf(type)).toEqual({ $ref });
    const { properties, required } = resolve(document, { $ref });
    expect(properties.type.enum).toEqual([type]);
    expect(properties.data).toEqual({ $ref: expect.stringMatching(/^#\/components\/schemas\/\w+$/) });
    expect(required).toEqual(expect.arrayContaining(['id', 'type', 'data']));
  }
});

test('the example of the events is one of the type that it names', () => {
  const { example } = document.paths['/v1/events'].get.responses[200].content['application/json'];
  const [event] = example.data;
  expect(validator.problems(schemaOf(event.type), event)).toEqual([]);
});

class Points {
  points!: number;
}
@Module({})
class PointsModule {}

test('an event type of Gala’s own without a class of its data stops the start', async () => {
  const events = readableWith('leads:read', { 'lead.won': 'A lead was won' });
  features.push({ module: PointsModule, events });
  try {
    await expect(startGala({ databaseUrl: gala.databaseUrl })).rejects.toThrow(
      'The event type lead.won has no data class.',
    );
  } finally {
    features.pop();
  }
});

test('an extension’s events may have a schema, or data of any kind', async () => {
  const extended = await startGala({
    databaseUrl: gala.databaseUrl,
    extensions: [
      {
        module: PointsModule,
        scopes: { 'points:read': 'Read points' },
        events: {
          ...readableWith('points:read', { 'points.earned': 'Points were earned' }, {}, Points),
          ...readableWith('points:read', { 'points.lost': 'Points were lost' }),
        },
      },
    ],
  });
  const { body } = await extended.anonymous.get('/openapi.json');
  await extended.stop();
  const dataOf = (type: string) => resolve(body, schemaOf(type, body)).properties.data;
  expect(dataOf('points.earned')).toEqual({ $ref: '#/components/schemas/Points' });
  expect(dataOf('points.lost')).toMatchObject({ type: 'object', additionalProperties: true });
  expect(body.components.schemas.Event.oneOf).toHaveLength(Object.keys(body.webhooks).length);
});
