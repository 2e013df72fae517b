import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../support/http-client';
import { WebhookReceiver } from '../support/webhook-receiver';
import { Installation, median, until } from './support';

const PER_SECOND = 100;
const SECONDS = 10;

let installation: Installation;
let receivers: WebhookReceiver[];
beforeAll(async () => {
  installation = await Installation.create();
  receivers = [];
});
afterAll(async () => {
  await installation.remove();
  for (const receiver of receivers) await receiver.stop();
});

async function subscribe(): Promise<WebhookReceiver> {
  const receiver = await WebhookReceiver.start();
  receivers.push(receiver);
  await installation.subscribe(receiver.url, ['lead.created']);
  return receiver;
}

test('one receiver that hangs and one that fails delay no other', async () => {
  const [hanging, failing, good] = [await subscribe(), await subscribe(), await subscribe()];
  hanging.answer = () => undefined;
  failing.answer = (response) => response.writeHead(500).end();
  const delays: number[] = [];
  good.answer = (response) => {
    const { timestamp } = JSON.parse(good.received.at(-1)!.body.toString());
    delays.push(Date.now() - Date.parse(timestamp));
    response.writeHead(204).end();
  };

  const { baseUrl } = await installation.startService();
  const client = new Client(baseUrl, installation.client.key);
  const createLead = () => client.post('/v1/leads', { email: 'ana@example.com' });
  // A service that has just started is slow at everything.
  for (let count = 0; count < 100; count++) await createLead();
  await until(() => delays.splice(0).length === 0, { withinMs: 30_000, everyMs: 500 });
  good.received.length = 0;

  const startedAt = Date.now();
  const made: Promise<{ status: number }>[] = [];
  while (made.length < PER_SECOND * SECONDS) {
    const due = ((Date.now() - startedAt) / 1000) * PER_SECOND;
    while (made.length < due) made.push(createLead());
    await sleep(10);
  }
  for (const { status } of await Promise.all(made)) expect(status).toBe(201);
  await until(() => delays.length >= made.length, { withinMs: 30_000 });

  const sorted = delays.toSorted((one, other) => one - other);
  console.info(
    `from change to arrival: median ${median(delays)} ms, p99 ${sorted[Math.floor(sorted.length * 0.99)]} ms`,
  );
  expect(good.received).toHaveLength(made.length);
  expect(median(delays)).toBeLessThan(1000);
  expect(hanging.received.length).toBeGreaterThan(0);
  expect(failing.received.length).toBeGreaterThan(0);
});
