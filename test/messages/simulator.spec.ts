import { setTimeout as sleep } from 'node:timers/promises';
import { Clock } from '../../src/kernel/clock';
import { newId } from '../../src/kernel/ids';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import { eventsOf } from '../support/events';
import { expectRefusal } from '../support/expect-refusal';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { conversation, conversationOf, leadWith, MAGIC, message, send, withStatus } from './support';

const ORDINARY = '+34600123456';

let gala: TestGala;
let clock: FakeClock;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  clock = new FakeClock();
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
  gala.app.get(BackgroundJobs).start();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client('test');
});

test('the first message of a newcomer is taken, sent and delivered', async () => {
  const lead = await leadWith(client, ORDINARY);
  const answer = await send(client, lead.id, 'Hello Ana');
  expect(answer.status).toBe(201);
  expect(answer.headers.location).toBe(`/v1/messages/${answer.body.id}`);
  expect(answer.body).toEqual({
    ...{ id: answer.body.id, leadId: lead.id, direction: 'outbound', channel: 'simulator', phone: ORDINARY },
    ...{
      automatic: false,
      channelUserId: null,
      type: 'text',
      text: 'Hello Ana',
      template: null,
      media: null,
      status: 'queued',
      error: null,
    },
    ...{ createdAt: clock.in(0), sentAt: null, deliveredAt: null, readAt: null, failedAt: null },
  });
  const delivered = await withStatus(client, answer.body.id, 'delivered');
  expect(delivered).toMatchObject({ sentAt: clock.in(0), deliveredAt: clock.in(0), readAt: null });
  const events = await eventsOf(gala, answer.body.id);
  expect(events.map(({ type, data, previous }) => [type, data.status, previous?.status])).toEqual([
    ['message.queued', 'queued', undefined],
    ['message.sent', 'sent', 'queued'],
    ['message.delivered', 'delivered', 'sent'],
  ]);
  expect(events[2]!.data).toEqual(delivered);
});

test('each magic number has its fate', async () => {
  const fates = {
    [MAGIC.delivered]: { status: 'delivered', error: null },
    [MAGIC.read]: { status: 'read', error: null, readAt: clock.in(0) },
    [MAGIC.unknown]: { status: 'failed', error: { code: 'undeliverable', message: expect.any(String) } },
    [MAGIC.limited]: { status: 'failed', error: { code: 'pair_rate_limited' }, failedAt: clock.in(0) },
    [MAGIC.lost]: { status: 'failed', error: { code: 'unconfirmed' } },
  };
  for (const [phone, fate] of Object.entries(fates)) {
    const { body } = await send(client, (await leadWith(client, phone)).id);
    expect(await withStatus(client, body.id, fate.status)).toMatchObject(fate);
  }
});

test('the slow one takes ten seconds a step', async () => {
  const { body } = await send(client, (await leadWith(client, MAGIC.slow)).id);
  await withStatus(client, body.id, 'sent');
  await sleep(1200);
  expect((await client.get(`/v1/messages/${body.id}`)).body.status).toBe('sent');
  clock.advance(10);
  await withStatus(client, body.id, 'delivered');
  clock.advance(10);
  await withStatus(client, body.id, 'read');
});

test('the one that replies answers with the same text; STOP ends the conversation, until someone opts in', async () => {
  const lead = await leadWith(client, MAGIC.replies);
  await send(client, lead.id, 'See you on Friday');
  const [, reply] = await conversationOf(client, lead.id, 2);
  expect(reply).toMatchObject({ direction: 'inbound', status: 'received', text: 'See you on Friday' });
  expect((await eventsOf(gala, reply.id)).map(({ type }) => type)).toEqual(['message.received']);
  await send(client, lead.id, ' Stop! ');
  await conversationOf(client, lead.id, 4);
  expectRefusal(await send(client, lead.id), 422, { field: 'leadId' });
  expect((await client.post(`/v1/leads/${lead.id}/opt-in`)).body).toEqual({
    leadId: lead.id,
    phone: MAGIC.replies,
    channelUserId: null,
    optedOutAt: null,
  });
  expect((await send(client, lead.id)).status).toBe(201);
});

test('where the 24 hours are over, free text is refused and a template is taken', async () => {
  const lead = await leadWith(client, MAGIC.closed);
  expectRefusal(await send(client, lead.id), 422, { field: 'text' });
  const template = { name: 'visit_reminder', language: 'es', variables: ['Ana', 'viernes'] };
  const { status, body } = await client.post('/v1/messages', { leadId: lead.id, template });
  expect({ status, type: body.type, template: body.template }).toEqual({
    status: 201,
    type: 'template',
    template,
  });
  expect(await withStatus(client, body.id, 'delivered')).toMatchObject({ template, text: null });
});

test('what can’t be sent is refused beforehand, with the field', async () => {
  const { id: leadId } = await leadWith(client, ORDINARY);
  const mute = await leadWith(client, null);
  const archived = await leadWith(client, ORDINARY);
  await client.delete(`/v1/leads/${archived.id}`);
  const strange = await leadWith(await (await gala.createWorkspace()).client('test'), ORDINARY);
  const live = await leadWith(await workspace.client('live'), ORDINARY);
  const reminder = { name: 'visit_reminder', language: 'en', variables: ['Ana', 'Friday'] };
  const cases: [object, string][] = [
    [{ text: 'Hi' }, 'leadId'],
    [{ leadId, text: ' ' }, 'text'],
    [{ leadId }, 'text'],
    [{ leadId, text: null, template: null }, 'text'],
    [{ leadId, text: 5 }, 'text'],
    [{ leadId, text: 'x'.repeat(4097) }, 'text'],
    [{ leadId, text: 'a\0b' }, 'text'],
    [{ leadId, text: 'Hi', template: reminder }, 'template'],
    [{ leadId, template: 'visit_reminder' }, 'template'],
    [{ leadId, template: [] }, 'template'],
    [{ leadId, template: {} }, 'template.name'],
    [{ leadId, template: { ...reminder, name: 'nothing' } }, 'template.name'],
    [{ leadId, template: { ...reminder, language: 'fr' } }, 'template.language'],
    [{ leadId, template: { ...reminder, variables: ['Ana'] } }, 'template.variables'],
    [{ leadId, template: { ...reminder, variables: ['Ana', 'Fri\nday'] } }, 'template.variables'],
    [{ leadId, template: { ...reminder, variables: ['Ana', 5] } }, 'template.variables'],
    [{ leadId, template: { ...reminder, colour: 'red' } }, 'template.colour'],
    [{ leadId: 'Ana', text: 'Hi' }, 'leadId'],
    [{ leadId: newId('lead'), text: 'Hi' }, 'leadId'],
    [{ leadId: strange.id, text: 'Hi' }, 'leadId'],
    [{ leadId: live.id, text: 'Hi' }, 'leadId'],
    [{ leadId: mute.id, text: 'Hi' }, 'leadId'],
    [{ leadId: archived.id, text: 'Hi' }, 'leadId'],
  ];
  for (const [body, field] of cases) {
    const answer = await client.post('/v1/messages', body);
    expectRefusal(answer, 422, { field });
  }
  expect((await client.get('/v1/messages')).body.pagination.total).toBe(0);
});

test('live messages need a channel, and the refusal says where to connect one', async () => {
  const live = await workspace.client('live');
  const answer = await send(live, (await leadWith(live, ORDINARY)).id);
  expectRefusal(answer, 422, { field: 'leadId' });
  expect(answer.body.error.message).toContain('Settings → Channels');
});

test('a lead’s id opens its phone only to callers who may read messages or leads', async () => {
  const lead = await leadWith(client, ORDINARY);
  for (const [scopes, phone] of [
    [[], null],
    [['messages:read'], ORDINARY],
    [['leads:read'], ORDINARY],
  ] as const) {
    const writer = await workspace.client('test', ['messages:write', ...scopes]);
    expect(await send(writer, lead.id)).toMatchObject({ status: 201, body: { phone, channelUserId: null } });
    for (const decision of ['opt-out', 'opt-in']) {
      const { body } = await writer.post(`/v1/leads/${lead.id}/${decision}`);
      expect(body).toMatchObject({ leadId: lead.id, phone, channelUserId: null });
    }
  }
  expect((await client.get('/v1/messages')).body.data.map(({ phone }: any) => phone)).toEqual(
    Array.from({ length: 3 }, () => ORDINARY),
  );
});

test('opting out holds for the number, ends what is queued, and is told once', async () => {
  const [one, other] = [await leadWith(client, MAGIC.slow), await leadWith(client, MAGIC.slow)];
  await client.post(`/v1/leads/${one.id}/opt-out`);
  const again = await client.post(`/v1/leads/${one.id}/opt-out`);
  expect(again).toMatchObject({
    status: 200,
    body: { leadId: one.id, phone: MAGIC.slow, optedOutAt: clock.in(0) },
  });
  expectRefusal(await send(client, other.id), 422, { field: 'leadId' });
  expectRefusal(await client.post(`/v1/leads/${(await leadWith(client, null)).id}/opt-out`), 422, {
    field: 'phone',
  });
  const events = (await client.get('/v1/events?limit=100')).body.data;
  expect(events.filter(({ type }: { type: string }) => type === 'contact.opted_out')).toHaveLength(1);
});

test('a conversation is sent in its order, and listed by lead, direction, status and page', async () => {
  const lead = await leadWith(client, ORDINARY);
  const texts = Array.from({ length: 12 }, (_, index) => `Number ${index}`);
  let last = '';
  for (const text of texts) last = (await send(client, lead.id, text)).body.id;
  await withStatus(client, last, 'delivered');
  expect((await conversation(client, lead.id)).map(({ text }) => text)).toEqual(texts);
  const events = (await client.get('/v1/events?type=message.sent&limit=100')).body.data;
  expect(events.map(({ data }: any) => data.text).reverse()).toEqual(texts);

  const page = async (query: string) => (await client.get(`/v1/messages?${query}`)).body;
  expect((await page('limit=5')).data.map(({ text }: any) => text)).toEqual(texts.slice(-5).reverse());
  expect((await page('direction=inbound')).pagination.total).toBe(0);
  expect((await page('status=delivered&limit=1')).pagination).toMatchObject({ total: 12, hasNext: true });
  const first = await page(`leadId=${lead.id}&limit=10`);
  const rest = await page(`leadId=${lead.id}&limit=10&cursor=${first.pagination.nextCursor}`);
  expect(rest.data.map(({ text }: any) => text)).toEqual(['Number 1', 'Number 0']);
  expectRefusal(await client.get('/v1/messages?leadId=nobody'), 422, { field: 'leadId' });
  expectRefusal(await client.get('/v1/messages?sort=text'), 422, { field: 'sort' });
});

test('messages keep to their workspace and mode, and to their scopes', async () => {
  const { body } = await send(client, (await leadWith(client, ORDINARY)).id);
  const strangers = [await workspace.client('live'), await (await gala.createWorkspace()).client('test')];
  for (const stranger of strangers) {
    expectRefusal(await stranger.get(`/v1/messages/${body.id}`), 404);
    expect((await stranger.get('/v1/messages')).body.data).toEqual([]);
  }
  const reader = await workspace.client('test', ['messages:read']);
  expectRefusal(await send(reader, body.leadId), 403, { scope: 'messages:write' });
  expect((await reader.get(`/v1/messages/${body.id}`)).status).toBe(200);
});

test('no text, number or name is logged', async () => {
  const lead = await leadWith(client, MAGIC.replies);
  const { body } = await send(client, lead.id, 'The secret garden');
  await message(client, body.id, ({ status }) => status === 'delivered');
  await conversationOf(client, lead.id, 2);
  const log = gala.logged.join('\n');
  for (const word of ['secret garden', MAGIC.replies, MAGIC.replies.slice(1), 'ana@example.com']) {
    expect(log).not.toContain(word);
  }
});
