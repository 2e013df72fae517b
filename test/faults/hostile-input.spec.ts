import { createDataSource } from '../../ormconfig';
import { migrate } from '../../src/platform/persistence/migrate';
import { connect } from '../messages/whatsapp-support';
import { createEmptyDatabase } from '../support/empty-database';
import { type Answer, Client } from '../support/http-client';
import { HOSTILE_VALUES, MAX_BODY_BYTES } from '../support/request-bodies';
import type { ServiceProcess } from '../support/service-process';
import { startGala } from '../support/start-gala';
import { Callbacks, newWamid, seconds, WhatsAppServer } from '../support/whatsapp-server';
import { ENCRYPTION_KEY, Services } from './installation';
import { Probe, type ProbeReport } from './probe';
import { residentMb } from './support';

jest.setTimeout(300_000);

const CLIENTS = 20;
const ROUND_MS = 20_000;
const ROUNDS = 3;
const P99_MS = 250;
const MAX_RESIDENT_MB = 400;

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let whatsApp: WhatsAppServer;
let services: Services;
let service: ServiceProcess;
let probeKey: string;
let hostileKeys: string[];
let callbacks: { path: string };
beforeAll(async () => {
  database = await createEmptyDatabase();
  whatsApp = await WhatsAppServer.start();
  await migrate(database.url, [
    () => createDataSource({ url: database.url, poolSize: 1, statementTimeoutMs: 0 }),
  ]);
  const gala = await startGala({
    databaseUrl: database.url,
    configuration: { encryptionKey: ENCRYPTION_KEY, whatsAppApiUrl: whatsApp.url },
  });
  probeKey = await (await gala.createWorkspace('Probe')).key('live');
  const hostile = await gala.createWorkspace('Hostile');
  hostileKeys = await Promise.all(Array.from({ length: CLIENTS }, () => hostile.key('live')));
  callbacks = await connect(gala, hostile);
  await gala.stop();
  services = new Services();
  // The limits of the specification: what a key may send in a minute is part of the protection.
  service = await services.start({
    DATABASE_URL: database.url,
    WHATSAPP_API_URL: whatsApp.url.href,
    RATE_LIMIT_READS: '1000',
    RATE_LIMIT_WRITES: '200',
  });
});
afterAll(async () => {
  await services.remove();
  await whatsApp.stop();
  await database.drop();
});

/** Twenty clients send what `attack` makes, one request after the other, while another tenant asks for a lead. */
async function expectOthersUnhurt(attack: (client: number, count: number) => Promise<Answer>): Promise<void> {
  const rounds: ProbeReport[] = [];
  const answers: Record<string, number> = {};
  let peakMb = 0;
  while (rounds.length < ROUNDS && !rounds.some(({ p99Ms }) => p99Ms <= P99_MS)) {
    const probe = new Probe(service.baseUrl, probeKey);
    const endAt = Date.now() + ROUND_MS;
    const work = async (client: number) => {
      for (let count = 0; Date.now() < endAt; count++) {
        const status = await attack(client, count).then(
          (answer) => String(answer.status),
          () => 'failed',
        );
        answers[status] = (answers[status] ?? 0) + 1;
        peakMb = Math.max(peakMb, residentMb(service));
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)));
    rounds.push(await probe.stop());
  }
  const figures = rounds.map(
    ({ p99Ms, slowestMs }) => `p99 ${p99Ms.toFixed()} ms, at most ${slowestMs.toFixed()}`,
  );
  console.info(
    `${expect.getState().currentTestName}: ${figures.join('; ')}; ${peakMb.toFixed()} MB`,
    answers,
  );
  for (const { statuses } of rounds) expect(Object.keys(statuses)).toEqual(['200']);
  expect(answers['500']).toBeUndefined();
  expect(Math.min(...rounds.map(({ p99Ms }) => p99Ms))).toBeLessThanOrEqual(P99_MS);
  expect(peakMb).toBeLessThanOrEqual(MAX_RESIDENT_MB);
  expect(service.isRunning).toBe(true);
}

test('bodies that are filled with what is costly to read', async () => {
  const room = MAX_BODY_BYTES - 1024;
  const bodies = [
    ['/v1/proposals', `{"lineItems":${HOSTILE_VALUES['a list of {}']!(room)}}`],
    ['/v1/proposals', `{"deposit":${HOSTILE_VALUES['an object of many keys']!(room)}}`],
    ['/v1/leads', `{"tags":${HOSTILE_VALUES['a list of []']!(room)}}`],
    ['/v1/leads', `{"phone":${HOSTILE_VALUES['the text "+1 "']!(room)}}`],
    ['/v1/leads', `{"nonsense":${HOSTILE_VALUES['a list of {"":0}']!(room)}}`],
    ['/v1/webhooks', `{"events":${HOSTILE_VALUES['a list of "\\u0000"']!(room)}}`],
  ] as const;
  const clients = hostileKeys.map((key) => new Client(service.baseUrl, key));
  await expectOthersUnhurt((client, count) => {
    const [path, body] = bodies[(client + count) % bodies.length]!;
    return clients[client]!.post(path, body, { headers: { 'Idempotency-Key': `${client}-${count}` } });
  });
});

test('signed callbacks with 10,000 messages and 10,000 contacts', async () => {
  const sender = new Callbacks(service.baseUrl, callbacks.path);
  const numbers = Array.from({ length: 10_000 }, (_, index) => `3460${1_000_000 + index}`);
  const contacts = numbers.map((wa_id) => ({ wa_id, profile: { name: 'Ana' } }));
  const bodyOf = () => {
    const messages = numbers.map((from) => ({ id: newWamid(), from, timestamp: seconds(), type: 'text' }));
    return Buffer.from(JSON.stringify(sender.envelope({ messages, contacts })));
  };
  const bodies = Array.from({ length: CLIENTS }, bodyOf);
  await expectOthersUnhurt((client) => sender.send(bodies[client]!));
});

test('signed callbacks of 3 MiB', async () => {
  const sender = new Callbacks(service.baseUrl, callbacks.path);
  const bytes = 3 * 1024 * 1024 - 1024;
  const fillings = ['a list of []', 'a list of 0', 'the text "😀"', 'an object of many keys'];
  const bodies = fillings.map((name) => Buffer.from(`{"entry":${HOSTILE_VALUES[name]!(bytes)}}`));
  await expectOthersUnhurt((client, count) => sender.send(bodies[(client + count) % bodies.length]!));
});
