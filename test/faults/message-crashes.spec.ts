import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '../support/database';
import { compileService } from '../support/service-process';
import { sql } from '../support/sql';
import { startGala } from '../support/start-gala';
import { WhatsAppServer } from '../support/whatsapp-server';
import { connect } from '../messages/whatsapp-support';

// A minute and a half on a machine of its own; many times that on one that is busy.
jest.setTimeout(900_000);

const MESSAGES = 1000;
/** So many messages at most are under way when a kill comes. */
const CONVERSATIONS = 8;
const KILLS = 50;
/** What `startGala` seals with. */
const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('hex');
const CLOCK_START = String(Date.now());
const SETTLE_MS = 300_000;

interface Row {
  id: string;
  text: string;
  status: string;
  code: string | null;
}

test('50 kill -9s while 1,000 messages go out: each is sent exactly once, or flagged as in doubt; none vanishes', async () => {
  const compiled = compileService();
  const database = await createDatabase();
  const whatsApp = await WhatsAppServer.start();
  // Slow enough that a kill finds requests before, during and after the provider's decision.
  whatsApp.reply = async () => {
    await sleep(Math.random() * 30);
    return Math.random() < 0.05 ? { status: 429, code: 130429 } : 'take';
  };
  try {
    await queueMessages(database.url, whatsApp.url);
    let sender = start(compiled.directory, database.url, whatsApp.url);
    for (let kill = 0; kill < KILLS; kill++) {
      const target = whatsApp.attempts + 1 + Math.floor(Math.random() * 20);
      for (let tries = 0; whatsApp.attempts < target && tries < 1000; tries++) await sleep(5);
      sender.kill('SIGKILL');
      sender = start(compiled.directory, database.url, whatsApp.url);
    }
    const giveUpAt = Date.now() + SETTLE_MS;
    while ((await left(database.url)) > 0 && Date.now() < giveUpAt) await sleep(500);
    sender.kill('SIGKILL');

    const rows = await sql<Row>(
      database.url,
      `SELECT id, text, status, error->>'code' AS code FROM messages WHERE direction = 'outbound'`,
    );
    expect(rows).toHaveLength(MESSAGES);
    const times = new Map<string, number>();
    for (const { body } of whatsApp.taken) times.set(body.text.body, (times.get(body.text.body) ?? 0) + 1);
    expect([...times.values()].filter((count) => count > 1)).toEqual([]);
    const states = rows.map(({ text, status, code }) => `${code ?? status} ${times.get(text) ?? 0}`);
    const count = (state: string) => states.filter((each) => each === state).length;
    const [sent, doubtfulSent, doubtfulUnsent] = ['sent 1', 'unconfirmed 1', 'unconfirmed 0'].map(count);
    expect(sent! + doubtfulSent! + doubtfulUnsent!).toBe(MESSAGES);
    // The kills hit something, and did not turn everything into doubt.
    expect(sent).toBeGreaterThan(MESSAGES / 4);
    expect(whatsApp.faults).toEqual([]);
    expectOrder(whatsApp.taken.map(({ body }) => body.text.body as string));
  } finally {
    await whatsApp.stop();
    await database.drop();
    compiled.remove();
  }
});

/** By the API, in a process that never sends: what it has accepted is all that there is. */
async function queueMessages(databaseUrl: string, whatsAppApiUrl: URL): Promise<void> {
  const gala = await startGala({ databaseUrl, configuration: { whatsAppApiUrl } });
  const workspace = await gala.createWorkspace();
  const callbacks = await connect(gala, workspace);
  const client = await workspace.client('live');
  await Promise.all(
    Array.from({ length: CONVERSATIONS }, async (_, conversation) => {
      const digits = `346000${String(conversation).padStart(5, '0')}`;
      const lead = await client.post('/v1/leads', { email: 'ana@example.com', phone: `+${digits}` });
      await callbacks.message(digits, { type: 'text', text: { body: 'Hello' } });
      for (let number = 0; number < MESSAGES / CONVERSATIONS; number++) {
        const text = `${conversation}:${number}`;
        const { status } = await client.post('/v1/messages', { leadId: lead.body.id, text });
        expect(status).toBe(201);
      }
    }),
  );
  await gala.stop();
}

/** Of each conversation the provider took the messages in the order in which they were accepted. */
function expectOrder(texts: string[]): void {
  const last = new Map<string, number>();
  for (const text of texts) {
    const [conversation, number] = text.split(':') as [string, string];
    expect(Number(number)).toBeGreaterThan(last.get(conversation) ?? -1);
    last.set(conversation, Number(number));
  }
}

async function left(databaseUrl: string): Promise<number> {
  const [row] = await sql<{ count: number }>(
    databaseUrl,
    `SELECT count(*)::int AS count FROM messages WHERE status = 'queued'`,
  );
  return row!.count;
}

function start(directory: string, databaseUrl: string, whatsAppApiUrl: URL): ChildProcess {
  const script = join(__dirname, 'message-sender.cjs');
  const args = [script, directory, databaseUrl, ENCRYPTION_KEY, whatsAppApiUrl.href, CLOCK_START];
  return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}
