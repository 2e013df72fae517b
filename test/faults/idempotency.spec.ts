import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../support/http-client';
import type { ServiceProcess } from '../support/service-process';
import { TcpProxy } from '../support/tcp-proxy';
import { Installation } from './support';

const REQUESTS = 10_000;
const CALLERS = 16;
const KILLS = 20;
/** Beside the kills, so often a connection is cut at random while the service goes on. */
const CUT_EVERY_MS = 20;

let installation: Installation;
beforeAll(async () => {
  installation = await Installation.create();
});
afterAll(() => installation.remove());

/** A client that sends each request again, with the same key, until it is answered. */
class PersistentClient {
  retries = 0;
  readonly answers = new Map<string, { status: number; text: string }>();

  constructor(
    private readonly client: Client,
    private readonly isOver: () => boolean,
  ) {}

  async create(key: string): Promise<void> {
    const body = { email: 'ana@example.com', name: key };
    while (!this.isOver()) {
      try {
        const { status, text } = await this.client.post('/v1/leads', body, {
          headers: { 'Idempotency-Key': key },
        });
        if (status < 500) return void this.answers.set(key, { status, text });
      } catch (error) {
        if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
      }
      this.retries++;
      await sleep(50);
    }
  }
}

test(`of ${REQUESTS} requests repeated over cut connections and ${KILLS} killed services each is done once`, async () => {
  let service: ServiceProcess = await installation.startService();
  const { port } = new URL(service.baseUrl);
  const proxy = await TcpProxy.to(service.baseUrl);
  let isOver = false;
  const client = new PersistentClient(new Client(proxy.url, installation.client.key), () => isOver);

  let next = 0;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (next < REQUESTS) await client.create(`order-${next++}`);
  });
  const cutting = (async () => {
    while (next < REQUESTS) {
      await sleep(CUT_EVERY_MS);
      proxy.cutOne();
    }
  })();
  let kills = 0;
  for (; kills < KILLS; kills++) {
    // Spread over the whole of the work, however fast it goes.
    while (next < (REQUESTS * (kills + Math.random())) / KILLS) await sleep(5);
    await service.kill();
    service = await installation.startService({ PORT: port });
  }
  await Promise.all([...callers, cutting]).finally(() => (isOver = true));

  expect(kills).toBe(KILLS);
  expect(client.retries).toBeGreaterThan(KILLS);
  const wrong = [...client.answers].filter(([, { status }]) => status !== 201);
  expect(wrong).toEqual([]);
  expect(client.answers.size).toBe(REQUESTS);

  const stored = await installation.sql<{ name: string }>('SELECT name FROM leads');
  expect(stored).toHaveLength(REQUESTS);
  expect(new Set(stored.map(({ name }) => name)).size).toBe(REQUESTS);
  const [events] = await installation.sql<{ count: number }>(
    `SELECT count(*)::int FROM events WHERE type = 'lead.created'`,
  );
  expect(events!.count).toBe(REQUESTS);

  // Every key once more, by way of a service that has seen none of them: the answer is the one that was given.
  const after = new Client(service.baseUrl, installation.client.key);
  for (const [key, { text }] of client.answers) {
    const again = await after.post(
      '/v1/leads',
      { email: 'ana@example.com', name: key },
      { headers: { 'Idempotency-Key': key } },
    );
    expect({ key, text: again.text, replayed: again.headers['idempotency-replayed'] }).toEqual({
      key,
      text,
      replayed: 'true',
    });
  }
});
