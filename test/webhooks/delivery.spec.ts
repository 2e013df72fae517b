import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { Clock } from '../../src/kernel/clock';
import { type Id, toUuid } from '../../src/kernel/ids';
import { Mailer } from '../../src/kernel/mailer';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { Mailbox } from '../support/mailbox';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { type Received, WebhookReceiver } from '../support/webhook-receiver';
import { until } from '../support/until';

const NAMES = ['Zoë Nováková', 'O’Neil 😀', '李小龍', 'مها', 'a\u2028b', '"quoted" \\ \u0001'];

const mailbox = new Mailbox();
let gala: TestGala;
let clock: FakeClock;
let client: Client;
let receiver: WebhookReceiver;

beforeAll(async () => {
  clock = new FakeClock(new Date().toISOString());
  gala = await startGala({
    configuration: { webhookAllowedNetworks: ['127.0.0.0/8'] },
    overrides: [
      { provide: Clock, useValue: clock },
      { provide: Mailer, useValue: mailbox },
    ],
  });
  gala.app.get(BackgroundJobs).start();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  client = await (await gala.createWorkspace()).client('test');
  receiver = await WebhookReceiver.start();
});
afterEach(() => receiver.stop());

async function subscribe(events = ['lead.*']): Promise<{ id: string; secret: string }> {
  const { status, body } = await client.post('/v1/webhooks', { url: receiver.url, events });
  expect(status).toBe(201);
  return body;
}

const createLead = (name = 'Ana') => client.post('/v1/leads', { name, email: 'ana@example.com' });
const headersOf = ({ headers }: Received) => headers as Record<string, string>;

/** A new host is tested first, which these tests are not about. */
const isNoTest = ({ eventType }: any) => eventType !== 'webhook.test';

/** Waits until the log says so: the outcome is stored after the receiver has answered. */
async function delivery(id: string, isAsExpected: (delivery: any) => boolean): Promise<any> {
  for (let tries = 0; tries < 400; tries++) {
    const { body } = await client.get(`/v1/webhooks/${id}/deliveries`);
    const found = body.data.filter(isNoTest).find(isAsExpected);
    if (found) return found;
    await sleep(50);
  }
  throw new Error('The delivery log never said so.');
}

test('every delivery is verified by its raw bytes, whatever script a name is written in', async () => {
  const { secret } = await subscribe();
  for (const name of NAMES) await createLead(name);
  const received = await receiver.got(NAMES.length);
  const names = received.map((each) => {
    const [text, headers] = [each.body.toString(), headersOf(each)];
    const ours = new Webhook(secret).verify(text, headers) as any;
    expect(new SvixWebhook(secret).verify(text, headers)).toEqual(ours);
    expect(ours).toMatchObject({ id: headers['webhook-id'], type: 'lead.created', apiVersion: 'v1' });
    expect(ours.data).toEqual(expect.objectContaining({ stage: 'new_enquiry' }));
    return ours.data.name;
  });
  expect(names.sort()).toEqual([...NAMES].sort());
});

test('one changed byte, another secret or an old timestamp is refused', async () => {
  const { secret } = await subscribe();
  await createLead();
  const [first] = await receiver.got(1);
  const [text, headers] = [first!.body.toString(), headersOf(first!)];
  const webhook = new Webhook(secret);
  expect(() => webhook.verify(text.replace('Ana', 'Ann'), headers)).toThrow();
  expect(() => new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`).verify(text, headers)).toThrow();
  const old = String(Number(headers['webhook-timestamp']) - 600);
  expect(() => webhook.verify(text, { ...headers, 'webhook-timestamp': old })).toThrow();
  expect(webhook.verify(text, headers)).toBeTruthy();
});

test('what failed is sent again with the same id and bytes, when its time has come', async () => {
  const { id } = await subscribe();
  receiver.answer = (response, count) => response.writeHead(count === 1 ? 500 : 204).end('oh');
  await createLead();
  await receiver.got(1);
  const failed = await delivery(id, ({ attempts }) => attempts.length === 1);
  expect(failed).toMatchObject({
    status: 'pending',
    attempts: [{ responseStatus: 500, responseBody: 'oh' }],
  });
  const wait = Date.parse(failed.nextAttemptAt) - clock.now().getTime();
  expect(wait).toBeGreaterThanOrEqual(5000);
  expect(wait).toBeLessThanOrEqual(5500);
  clock.advance(6);
  const [one, other] = await receiver.got(2);
  expect(other!.headers['webhook-id']).toBe(one!.headers['webhook-id']);
  expect(other!.body.equals(one!.body)).toBe(true);
  await delivery(id, ({ status, attempts }) => status === 'succeeded' && attempts.length === 2);
});

test('a receiver that asks for time gets it', async () => {
  const { id } = await subscribe();
  receiver.answer = (response) => response.writeHead(503, { 'Retry-After': '3600' }).end();
  await createLead();
  const failed = await delivery(id, ({ attempts }) => attempts.length === 1);
  expect(Date.parse(failed.nextAttemptAt) - clock.now().getTime()).toBe(3_600_000);
});

test('a redirect is a failure, and not followed', async () => {
  const elsewhere = await WebhookReceiver.start();
  const { id } = await subscribe();
  receiver.answer = (response) => response.writeHead(302, { Location: elsewhere.url }).end();
  await createLead();
  expect(await delivery(id, ({ attempts }) => attempts.length === 1)).toMatchObject({ status: 'pending' });
  expect(elsewhere.received).toEqual([]);
  await elsewhere.stop();
});

test('an answer that switches protocols is a failure, and keeps no place', async () => {
  const { id } = await subscribe();
  receiver.answer = ({ socket }) =>
    socket!.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
  await createLead();
  const failed = await delivery(id, ({ attempts }) => attempts.length === 1);
  expect(failed.attempts[0]).toMatchObject({ responseStatus: null, error: 'The connection broke off.' });
});

test('410 disables the endpoint, and the owners get a mail', async () => {
  const { id } = await subscribe();
  receiver.answer = (response) => response.writeHead(410).end();
  await createLead();
  await delivery(id, ({ attempts }) => attempts.length === 1);
  const read = async () => (await client.get(`/v1/webhooks/${id}`)).body;
  await until(async () => (await read()).status === 'disabled', 'the endpoint to be disabled');
  expect((await read()).disabledReason).toBe('The endpoint answered 410 Gone.');
  await until(() => mailbox.mails.length > 0, 'a mail');
  expect(mailbox.mails).toEqual([
    expect.objectContaining({
      to: 'owner@example.com',
      text: expect.stringContaining(`${receiver.url}: The endpoint answered 410 Gone.`),
    }),
  ]);
});

test('only what was subscribed to comes, and nothing of the other mode or of a disabled endpoint', async () => {
  const { id } = await subscribe(['lead.archived']);
  const lead = await createLead();
  clock.advance(1);
  await client.delete(`/v1/leads/${lead.body.id}`);
  const [only] = await receiver.got(1);
  expect(JSON.parse(only!.body.toString())).toMatchObject({ type: 'lead.archived', mode: 'test' });
  await client.patch(`/v1/webhooks/${id}`, { status: 'disabled' });
  await client.post(`/v1/leads/${lead.body.id}/restore`);
  await client.delete(`/v1/leads/${lead.body.id}`);
  expect((await client.get(`/v1/webhooks/${id}/deliveries`)).body.data.filter(isNoTest)).toHaveLength(1);
});

test('a rotated secret and the one before both sign for a day', async () => {
  const { id, secret } = await subscribe();
  const next = (await client.post(`/v1/webhooks/${id}/rotate-secret`)).body.secret;
  await createLead();
  const [first] = await receiver.got(1);
  for (const each of [secret, next]) {
    expect(new Webhook(each).verify(first!.body.toString(), headersOf(first!))).toBeTruthy();
  }
  clock.advance(24 * 3600 + 1);
  const later = await client.post(`/v1/webhooks/${id}/test`);
  expect(later).toMatchObject({
    status: 201,
    body: { eventType: 'webhook.test', status: 'pending', attempts: [] },
  });
  const [, second] = await receiver.got(2);
  const signatures = headersOf(second!)['webhook-signature']!.split(' ');
  expect(signatures).toHaveLength(1);
});

test('receivers that hang delay no other, however many of a workspace do', async () => {
  const hanging = await WebhookReceiver.start();
  hanging.answer = () => undefined;
  const ids: string[] = [];
  for (let count = 0; count < 6; count++) {
    const { body } = await client.post('/v1/webhooks', { url: hanging.url, events: ['*'] });
    ids.push(body.id);
  }
  for (let count = 0; count < 60; count++) await createLead();
  await hanging.got(6 * 50 - 49);
  await subscribe();
  for (let count = 0; count < 60; count++) await createLead();
  await receiver.got(60);
  for (const id of ids) {
    const { body } = await client.get(`/v1/webhooks/${id}/deliveries?limit=100`);
    expect(body.data.filter(isNoTest).filter(({ attempts }: any) => attempts.length > 0)).toEqual([]);
  }
  await hanging.stop();
});

test('what succeeded can be sent again, and what was given up recovered', async () => {
  const { id } = await subscribe();
  await createLead();
  const done = await delivery(id, ({ status }) => status === 'succeeded');
  const retried = await client.post(`/v1/webhooks/${id}/deliveries/${done.id}/retry`);
  expect(retried).toMatchObject({ status: 200, body: { id: done.id, status: 'pending' } });
  const [one, other] = await receiver.got(2);
  expect(other!.body.equals(one!.body)).toBe(true);
  const since = new Date(0).toISOString();
  expect((await client.post(`/v1/webhooks/${id}/recover`, { since })).body).toEqual({ recovered: 0 });
});

test('an endpoint whose secret can’t be read keeps no other from hearing', async () => {
  const { id } = await subscribe();
  await sql(gala.databaseUrl, `UPDATE webhook_endpoints SET secret = '\\x00' WHERE id = $1`, [
    toUuid(id as Id<'wh'>),
  ]);
  const { id: healthy } = await subscribe();
  await createLead();
  await receiver.got(1);
  await delivery(healthy, ({ status }) => status === 'succeeded');
  expect(gala.logged).toContainEqual(expect.stringContaining(id));
  expect(await delivery(id, ({ status }) => status === 'pending')).toMatchObject({ attempts: [] });
  await client.delete(`/v1/webhooks/${id}`);
});
