import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDeliveringGala } from '../support/delivering-gala';
import type { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { expectInvalid } from '../support/refusals';
import type { TestGala } from '../support/start-gala';
import { WebhookReceiver } from '../support/webhook-receiver';
import { until } from '../support/until';

jest.setTimeout(60_000);

let gala: TestGala;
let clock: FakeClock;
let client: Client;
let receiver: WebhookReceiver;
beforeAll(async () => {
  ({ gala, clock } = await startDeliveringGala());
});
afterAll(() => gala.stop());
beforeEach(async () => {
  client = await (await gala.createWorkspace()).client();
  receiver = await WebhookReceiver.start();
});
afterEach(() => receiver.stop());

async function subscribe(url = receiver.url): Promise<any> {
  const { status, body } = await client.post('/v1/webhooks', { url, events: ['lead.created'] });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}
const createLead = () => client.post('/v1/leads', { email: 'ana@example.com' });
const read = async (id: string) => (await client.get(`/v1/webhooks/${id}`)).body;
const testsOf = async (id: string) =>
  (await client.get(`/v1/webhooks/${id}/deliveries`)).body.data.filter(
    ({ eventType }: any) => eventType === 'webhook.test',
  );

test('a new host gets a test by itself, and events once it has taken it: none is lost', async () => {
  receiver.answerVerification = (response, count) => response.writeHead(count < 3 ? 500 : 204).end();
  const { id, verifiedAt, status } = await subscribe();
  expect({ verifiedAt, status }).toEqual({ verifiedAt: null, status: 'enabled' });
  for (let count = 0; count < 3; count++) await createLead();
  await until(async () => (await testsOf(id))[0].attempts.length === 1);
  clock.advance(6);
  await until(async () => (await testsOf(id))[0].attempts.length === 2);
  await sleep(1500);
  expect(receiver.received).toEqual([]);
  expect(await read(id)).toMatchObject({ verifiedAt: null, status: 'enabled' });
  expect((await client.post(`/v1/webhooks/${id}/test`)).status).toBe(201);
  await receiver.got(3);
  expect((await read(id)).verifiedAt).not.toBeNull();
});

test('a retry or a recovery sends nothing to a new host either', async () => {
  receiver.answerVerification = (response) => response.writeHead(404).end();
  const { id } = await subscribe();
  await createLead();
  await until(async () => (await testsOf(id))[0].attempts.length === 1);
  const { data } = (await client.get(`/v1/webhooks/${id}/deliveries`)).body;
  const waiting = data.find(({ eventType }: any) => eventType === 'lead.created');
  expect((await client.post(`/v1/webhooks/${id}/deliveries/${waiting.id}/retry`)).status).toBe(200);
  await client.post(`/v1/webhooks/${id}/recover`, { since: new Date(0).toISOString() });
  await sleep(1500);
  expect(receiver.received).toEqual([]);
});

test('a host that is known to the workspace and mode needs no second test', async () => {
  const { id } = await subscribe();
  await until(async () => (await read(id)).verifiedAt !== null);
  const { id: other, verifiedAt } = await subscribe();
  expect(verifiedAt).not.toBeNull();
  expect(await testsOf(other)).toEqual([]);
  client = await (await gala.createWorkspace()).client();
  expect((await subscribe()).verifiedAt).toBeNull();
});

test('an endpoint that is led to another host begins anew', async () => {
  const { id } = await subscribe();
  await until(async () => (await read(id)).verifiedAt !== null);
  const moved = await WebhookReceiver.start();
  moved.answerVerification = (response) => response.writeHead(500).end();
  expect((await client.patch(`/v1/webhooks/${id}`, { url: moved.url })).body.verifiedAt).toBeNull();
  await createLead();
  await until(() => Promise.resolve(moved.verifications.length === 1));
  await sleep(1500);
  expect([moved.received, receiver.received]).toEqual([[], []]);
  moved.answerVerification = (response) => response.writeHead(204).end();
  const path = `${moved.url}/other`;
  expect((await client.patch(`/v1/webhooks/${id}`, { url: path })).body.verifiedAt).toBeNull();
  await moved.got(1);
  await moved.stop();
});

test('an endpoint whose tests are all given up is disabled, and says why', async () => {
  receiver.answerVerification = (response) => response.writeHead(500).end();
  const { id } = await subscribe();
  for (let attempt = 1; attempt <= 10; attempt++) {
    await until(async () => (await testsOf(id))[0].attempts.length === attempt);
    const [{ nextAttemptAt }] = await testsOf(id);
    if (nextAttemptAt) clock.advance((Date.parse(nextAttemptAt) - clock.now().getTime()) / 1000);
  }
  await until(async () => (await read(id)).status === 'disabled');
  expect((await read(id)).disabledReason).toBe('No test event was answered with 2xx.');
});

describe('tests that somebody asks for', () => {
  const ask = (id: string) => client.post(`/v1/webhooks/${id}/test`);

  test('are one at a time for each endpoint, and not retried', async () => {
    const held: ServerResponse[] = [];
    receiver.answerVerification = (response) => void held.push(response);
    const { id } = await subscribe();
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(id)));
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([201]);
    const [asked, ...others] = [...new Set<string>(answers.map(({ body }) => body.id))];
    expect(others).toEqual([]);
    await until(() => Promise.resolve(held.length === 2));
    await sleep(1500);
    expect(await testsOf(id)).toHaveLength(2);
    expect(held).toHaveLength(2);
    for (const response of held) response.writeHead(500).end();
    const read = async () => (await testsOf(id)).find((test: any) => test.id === asked);
    await until(async () => (await read()).attempts.length === 1);
    expect(await read()).toMatchObject({ status: 'failed', nextAttemptAt: null });
    expect((await client.get(`/v1/webhooks/${id}`)).body).toMatchObject({
      status: 'enabled',
      verifiedAt: null,
    });
  });

  test('are retried once by hand, while no other is pending, and aren’t recovered', async () => {
    receiver.answerVerification = (response) => response.writeHead(500).end();
    const { id } = await subscribe();
    const failed = async () =>
      (await testsOf(id)).filter(({ status }: any) => status === 'failed').length as number;
    const { body: first } = await ask(id);
    await until(async () => (await failed()) === 1);
    const { body: second } = await ask(id);
    await until(async () => (await failed()) === 2);
    const since = new Date(0).toISOString();
    expect((await client.post(`/v1/webhooks/${id}/recover`, { since })).body).toEqual({ recovered: 0 });
    const held: ServerResponse[] = [];
    receiver.answerVerification = (response) => void held.push(response);
    const retry = (test: any) => client.post(`/v1/webhooks/${id}/deliveries/${test.id}/retry`);
    expect((await retry(first)).body).toMatchObject({ id: first.id, status: 'pending' });
    expect((await retry(first)).status).toBe(200);
    expectInvalid(await retry(second), 'status');
    await until(() => Promise.resolve(held.length === 1));
    await sleep(500);
    held[0]!.writeHead(500).end();
    await until(async () => (await failed()) === 2);
    expect(held).toHaveLength(1);
  });

  test('a change of address gives up the tests that are pending', async () => {
    receiver.answerVerification = (response) => response.writeHead(500).end();
    const { id } = await subscribe();
    for (let count = 0; count < 5; count++) {
      await client.patch(`/v1/webhooks/${id}`, { url: `${receiver.url}/${count}` });
    }
    const pending = (await testsOf(id)).filter(({ status }: any) => status === 'pending');
    expect(pending).toHaveLength(1);
  });
});

test('a dot at the end of a name makes no other host', async () => {
  for (let count = 0; count < 20; count++) {
    const url = `https://stranger.example${count % 2 ? '.' : ''}/`;
    expect((await client.post('/v1/webhooks', { url, events: ['*'] })).status).toBe(201);
  }
  expectInvalid(
    await client.post('/v1/webhooks', { url: 'https://stranger.example./', events: ['*'] }),
    'url',
  );
});

test('at most twenty endpoints lead to one host, whatever the port', async () => {
  const made = await Promise.all(
    Array.from({ length: 22 }, (_, index) =>
      client.post('/v1/webhooks', { url: `https://stranger.example:${8000 + index}/`, events: ['*'] }),
    ),
  );
  expect(made.map(({ status }) => status).sort()).toEqual([...Array(20).fill(201), 422, 422]);
  expectInvalid(
    made.find(({ status }) => status === 422)!,
    'url',
  );
  const { body } = await client.post('/v1/webhooks', { url: 'https://other.example/', events: ['*'] });
  expectInvalid(await client.patch(`/v1/webhooks/${body.id}`, { url: 'https://stranger.example/' }), 'url');
});
