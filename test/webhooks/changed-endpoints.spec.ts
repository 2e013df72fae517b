import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import type { Client } from '../support/http-client';
import { startGala, type TestGala } from '../support/start-gala';
import { WebhookReceiver } from '../support/webhook-receiver';

const AT_ONCE = 50;
const WAITING = 30;
/** The dispatcher hears of a change a moment after it was answered. */
const MOMENT_MS = 1000;

let gala: TestGala;
let client: Client;
let receiver: WebhookReceiver;
let held: ServerResponse[];
let id: string;

beforeAll(async () => {
  gala = await startGala({ configuration: { webhookAllowedNetworks: ['127.0.0.0/8'] } });
  gala.app.get(BackgroundJobs).start();
});
afterAll(() => gala.stop());

/** As many deliveries as are sent at once are on their way, and some wait. */
beforeEach(async () => {
  client = await (await gala.createWorkspace()).client('test');
  receiver = await WebhookReceiver.start();
  held = [];
  receiver.answer = (response) => void held.push(response);
  ({ id } = (await client.post('/v1/webhooks', { url: receiver.url, events: ['lead.created'] })).body);
  for (let count = 0; count < AT_ONCE + WAITING; count++) {
    expect((await client.post('/v1/leads', { email: 'ana@example.com' })).status).toBe(201);
  }
  await receiver.got(AT_ONCE);
});
afterEach(() => receiver.stop());

async function answerWhatIsHeld(): Promise<void> {
  await sleep(MOMENT_MS);
  receiver.answer = (response) => response.writeHead(204).end();
  for (const response of held) response.writeHead(204).end();
  await sleep(MOMENT_MS);
}

test('what waits isn’t sent to an endpoint that was paused, and is once it is resumed', async () => {
  await client.patch(`/v1/webhooks/${id}`, { status: 'disabled' });
  await answerWhatIsHeld();
  expect(receiver.received).toHaveLength(AT_ONCE);
  await client.patch(`/v1/webhooks/${id}`, { status: 'enabled' });
  await receiver.got(AT_ONCE + WAITING);
});

test('what waits isn’t sent to an endpoint that was deleted', async () => {
  await client.delete(`/v1/webhooks/${id}`);
  await answerWhatIsHeld();
  expect(receiver.received).toHaveLength(AT_ONCE);
});

test('what waits goes to the new address, signed with the new secret', async () => {
  const moved = await WebhookReceiver.start();
  await client.patch(`/v1/webhooks/${id}`, { url: moved.url });
  const { secret } = (await client.post(`/v1/webhooks/${id}/rotate-secret`)).body;
  await answerWhatIsHeld();
  for (const { body, headers } of await moved.got(WAITING)) {
    expect(new Webhook(secret).verify(body.toString(), headers as Record<string, string>)).toBeTruthy();
  }
  expect(receiver.received).toHaveLength(AT_ONCE);
  await moved.stop();
});
