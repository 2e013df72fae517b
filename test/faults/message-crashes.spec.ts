import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../messages/whatsapp-support';
import { createDatabase } from '../support/database';
import type { ServiceProcess } from '../support/service-process';
import { sql } from '../support/sql';
import { startGala } from '../support/start-gala';
import { Callbacks, WhatsAppServer } from '../support/whatsapp-server';
import { ENCRYPTION_KEY, Services } from './installation';
import { until } from './support';

// Fifty starts of a service: minutes on a machine of its own, a quarter of an hour and more on one that is busy.
jest.setTimeout(3_600_000);

const MESSAGES = 1000;
/** Twenty of them may be frozen by a kill, until what was at them is given up. */
const CONVERSATIONS = 200;
const KILLS = 50;
/** Every so many kills two services share the work, and both are killed. */
const SHARED_EVERY = 10;
/** Messages of a workspace that one service sends at once. */
const UNDER_WAY = 20;

interface Row {
  id: string;
  text: string;
  status: string;
  code: string | null;
}

let services: Services;
let database: Awaited<ReturnType<typeof createDatabase>>;
let whatsApp: WhatsAppServer;
/** What the provider was asked to send, taken or not. */
const asked = new Set<string>();

beforeAll(async () => {
  services = new Services();
  database = await createDatabase();
  whatsApp = await WhatsAppServer.start();
  // Slow enough that a kill finds requests before, during and after the provider's decision.
  whatsApp.reply = async ({ text }) => {
    asked.add(text.body);
    await sleep(Math.random() * 60);
    return Math.random() < 0.05 ? { status: 429, code: 130429 } : 'take';
  };
});
afterAll(async () => {
  await services.remove();
  await whatsApp.stop();
  await database.drop();
});

function startService(): Promise<ServiceProcess> {
  return services.start({
    DATABASE_URL: database.url,
    WHATSAPP_API_URL: whatsApp.url.href,
    LOG_LEVEL: 'warn',
  });
}

/** By the API, in a process that never sends: what it has accepted is all that there is. Says where callbacks go. */
async function queueMessages(): Promise<string> {
  const configuration = { whatsAppApiUrl: whatsApp.url, encryptionKey: ENCRYPTION_KEY };
  const gala = await startGala({ databaseUrl: database.url, configuration });
  const workspace = await gala.createWorkspace();
  const callbacks = await connect(gala, workspace);
  const client = await workspace.client('live');
  const queue = async (conversation: number) => {
    const digits = `346000${String(conversation).padStart(5, '0')}`;
    const lead = await client.post('/v1/leads', { email: 'ana@example.com', phone: `+${digits}` });
    await callbacks.message(digits, { type: 'text', text: { body: 'Hello' } });
    for (let number = 0; number < MESSAGES / CONVERSATIONS; number++) {
      const text = `${conversation}:${number}`;
      expect((await client.post('/v1/messages', { leadId: lead.body.id, text })).status).toBe(201);
    }
  };
  for (let from = 0; from < CONVERSATIONS; from += 8) {
    await Promise.all(Array.from({ length: 8 }, (_, index) => queue(from + index)));
  }
  await gala.stop();
  return callbacks.path;
}

function outbound(): Promise<Row[]> {
  return sql<Row>(
    database.url,
    `SELECT id, text, status, error->>'code' AS code FROM messages WHERE direction = 'outbound'`,
  );
}

/** How many there are of each status or reason of failure, and of how often the provider took them. */
function tally(rows: Row[], timesTaken: (text: string) => number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { text, status, code } of rows) {
    const state = `${code ?? status}, taken ${timesTaken(text)}`;
    counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
}

test(`${KILLS} kill -9s while ${MESSAGES} messages go out: each is sent exactly once, or flagged as in doubt; none vanishes`, async () => {
  const path = await queueMessages();
  let killed = 0;
  for (let kill = 1; kill <= KILLS; kill++) {
    const count = kill % SHARED_EVERY === 0 ? 2 : 1;
    const target = whatsApp.attempts + 1 + Math.floor(Math.random() * 20);
    const services = await Promise.all(Array.from({ length: count }, startService));
    await until(() => whatsApp.attempts >= target, { withinMs: 120_000, everyMs: 5 });
    await sleep(30 * Math.random());
    await Promise.all(services.map((service) => service.kill()));
    killed += count;
  }
  const attemptsDuringKills = whatsApp.attempts;
  const service = await startService();
  await until(async () => (await outbound()).every(({ status }) => status !== 'queued'), {
    withinMs: 300_000,
    everyMs: 500,
  });

  const times = new Map<string, number>();
  for (const { body } of whatsApp.taken) times.set(body.text.body, (times.get(body.text.body) ?? 0) + 1);
  const timesTaken = (text: string) => times.get(text) ?? 0;
  const rows = await outbound();
  const counts = tally(rows, timesTaken);
  const unasked = rows.filter(({ text, code }) => code === 'unconfirmed' && !asked.has(text)).length;
  console.info({ attemptsDuringKills, ...counts, unasked });
  expect(rows).toHaveLength(MESSAGES);
  const [sent = 0, doubtfulSent = 0, doubtfulUnsent = 0] = [
    'sent, taken 1',
    'unconfirmed, taken 1',
    'unconfirmed, taken 0',
  ].map((state) => counts[state]);
  expect(sent + doubtfulSent + doubtfulUnsent).toBe(MESSAGES);
  // The kills hit something, and left in doubt no more than can be on its way at once.
  expect(doubtfulSent + doubtfulUnsent).toBeGreaterThan(0);
  expect(doubtfulSent + doubtfulUnsent).toBeLessThanOrEqual(UNDER_WAY * killed);
  expect(whatsApp.faults).toEqual([]);
  expectOrder(whatsApp.taken.map(({ body }) => body.text.body as string));

  // The provider reports on what it took, and that settles the doubt.
  const callbacks = new Callbacks(service.baseUrl, path);
  for (const { wamid, body } of whatsApp.taken) {
    const { biz_opaque_callback_data } = body;
    expect((await callbacks.status(wamid, 'delivered', { biz_opaque_callback_data })).status).toBe(200);
  }
  expect(tally(await outbound(), timesTaken)).toEqual({
    'delivered, taken 1': sent + doubtfulSent,
    ...(doubtfulUnsent && { 'unconfirmed, taken 0': doubtfulUnsent }),
  });
});

/** Of each conversation the provider took the messages in the order in which they were accepted. */
function expectOrder(texts: string[]): void {
  const last = new Map<string, number>();
  for (const text of texts) {
    const [conversation, number] = text.split(':') as [string, string];
    expect(Number(number)).toBeGreaterThan(last.get(conversation) ?? -1);
    last.set(conversation, Number(number));
  }
}
