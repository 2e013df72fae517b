import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../support/http-client';
import { WebhookReceiver } from '../support/webhook-receiver';
import { Installation, until } from './support';

const ANSWERS_AFTER_MS = 13_000;
/** More than an instance claims at once, and so many that the last wait longer than a lease lasts. */
const LEADS = 600;

let installation: Installation;
let receiver: WebhookReceiver;
beforeAll(async () => {
  installation = await Installation.create();
  receiver = await WebhookReceiver.start();
});
afterAll(async () => {
  await installation.remove();
  await receiver.stop();
});

test('a receiver that takes long for each of its backlog gets every delivery once', async () => {
  let [now, most] = [0, 0];
  receiver.answer = (response) => {
    most = Math.max(most, ++now);
    setTimeout(() => {
      now--;
      response.writeHead(204).end();
    }, ANSWERS_AFTER_MS);
  };
  await installation.subscribe(receiver.url, ['lead.created']);
  const services = [await installation.startService(), await installation.startService()];
  const client = new Client(services[0]!.baseUrl, installation.client.key);
  for (let count = 0; count < LEADS; count++) {
    expect((await client.post('/v1/leads', { email: 'ana@example.com' })).status).toBe(201);
  }

  const left = async () => {
    const [row] = await installation.sql<{ count: number }>(
      `SELECT count(*)::int FROM webhook_deliveries WHERE status <> 'succeeded'`,
    );
    return row!.count;
  };
  await until(async () => (await left()) === 0, { withinMs: 300_000, everyMs: 1000 });
  await sleep(ANSWERS_AFTER_MS);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect({ deliveries: new Set(ids).size, arrived: ids.length }).toEqual({
    deliveries: LEADS,
    arrived: LEADS,
  });
  // Fifty from each instance.
  expect(most).toBeLessThanOrEqual(100);
});
