import { CalendarFeeds } from '../../src/modules/calendar';
import { connect } from '../messages/whatsapp-support';
import { pathOf, sent, visitor } from '../proposals/support';
import { createEmptyDatabase } from '../support/empty-database';
import { Client } from '../support/http-client';
import { HOSTILE_VALUES, MAX_BODY_BYTES } from '../support/request-bodies';
import type { ServiceProcess } from '../support/service-process';
import { startGala } from '../support/start-gala';
import { Callbacks, newWamid, seconds, WhatsAppServer } from '../support/whatsapp-server';
import { ownerOf } from '../workspaces/people';
import { type End, HeldBodies, readAsTheyLike, repeat } from './attacks';
import { expectUnhurt } from './hostile';
import { fillPageOfProposals, LARGE_LINE_ITEMS, planHolds, planLongEvents } from './hostile-data';
import { ENCRYPTION_KEY, prepare, Services } from './installation';

const ATTACK_MS = 20_000;
const KEYS = 30;
const ATTACKER = '127.0.0.2';
const NOTIFICATION = 3 * 1024 * 1024;
const CALLBACK_MESSAGES = 10_000;

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let whatsApp: WhatsAppServer;
let services: Services;
let service: ServiceProcess;
let neighbour: string;
let keys: string[];
let clients: Client[];
let feed: string;
let callbacks: Callbacks;
beforeAll(async () => {
  database = await createEmptyDatabase();
  whatsApp = await WhatsAppServer.start();
  neighbour = await prepare(database.url);
  const gala = await startGala({
    databaseUrl: database.url,
    configuration: { encryptionKey: ENCRYPTION_KEY, whatsAppApiUrl: whatsApp.url },
  });
  const hostile = await gala.createWorkspace('Hostile');
  keys = await Promise.all(Array.from({ length: KEYS }, () => hostile.key('live')));
  const ref = { workspaceId: hostile.id, mode: 'live' } as const;
  const token = await gala.app.get(CalendarFeeds, { strict: false }).create(ref, await ownerOf(gala));
  feed = `/v1/calendar.ics?token=${token}`;
  const { path } = await connect(gala, hostile);
  await gala.stop();
  await planLongEvents(database.url, hostile.id, { count: 10_000, characters: 5000 });
  await planHolds(database.url, hostile.id, { count: 1000, spacesEach: 20, spaces: 100 });
  services = new Services();
  service = await services.start({ DATABASE_URL: database.url, WHATSAPP_API_URL: whatsApp.url.href });
  clients = keys.map((key) => new Client(service.baseUrl, key));
  callbacks = new Callbacks(service.baseUrl, path);
  await fillPageOfProposals(database.url, clients[0]!);
});
afterAll(async () => {
  await services.remove();
  await whatsApp.stop();
  await database.drop();
});

const clientOf = (index: number) => clients[index % KEYS]!;

/** All but the last byte of 256 MiB of bodies. */
function heldBodies(): End {
  const group = { localAddress: ATTACKER, path: '/channels/whatsapp/nobody' };
  const attack = new HeldBodies(service, [
    { ...group, count: 85, length: NOTIFICATION, sent: NOTIFICATION - 1 },
    { ...group, count: 36, path: '/oauth/token', length: MAX_BODY_BYTES, sent: MAX_BODY_BYTES - 1 },
  ]);
  return () => attack.end();
}

async function changingFeed(): Promise<End> {
  const range = 'from=2026-01-01&to=2026-12-31&limit=1';
  const [event] = (await clients[0]!.get(`/v1/calendar-events?${range}`)).body.data;
  const reads = repeat(10, () => new Client(service.baseUrl).get(feed));
  const changes = repeat(1, (client, count) =>
    clientOf(client).patch(`/v1/calendar-events/${event.id}`, { title: `Change ${count}` }),
  );
  return () => Promise.all([reads(), changes()]);
}

async function visitors(): Promise<End> {
  const path = pathOf(await sent(clients[0]!));
  return repeat(4, () => visitor(service.baseUrl).get(path));
}

const unreadPages = () =>
  readAsTheyLike(service, {
    key: keys[0]!,
    path: '/v1/proposals?limit=100',
    clients: 40,
    read: (socket) => socket.pause(),
  });

async function largeCreates(): Promise<End> {
  const { body: lead } = await clients[0]!.post('/v1/leads', { email: 'ana@example.com' });
  const body = { leadId: lead.id, title: 'Big', lineItems: LARGE_LINE_ITEMS };
  return repeat(20, (client) => clientOf(client).post('/v1/proposals', body));
}

const availability = () =>
  repeat(20, (client) => clientOf(client).get('/v1/availability?from=2027-01-01&to=2027-12-31'));

function emptyItems(): End {
  const body = `{"lineItems":${HOSTILE_VALUES['a list of {}']!(MAX_BODY_BYTES - 1024)}}`;
  return repeat(20, (client) => clientOf(client).post('/v1/proposals', body));
}

function signedCallbacks(): End {
  const numbers = Array.from({ length: CALLBACK_MESSAGES }, (_, index) => `3460${1_000_000 + index}`);
  const contacts = numbers.map((wa_id) => ({ wa_id, profile: { name: 'Ana' } }));
  const messages = numbers.map((from) => ({ id: newWamid(), from, timestamp: seconds(), type: 'text' }));
  const body = Buffer.from(JSON.stringify(callbacks.envelope({ messages, contacts })));
  return repeat(10, () => callbacks.send(body));
}

test.each<[string, (() => End | Promise<End>)[]]>([
  ['held bodies, a feed that changes, and visitors of a link', [heldBodies, changingFeed, visitors]],
  [
    'pages that nobody reads, large proposals, and a year of availability',
    [unreadPages, largeCreates, availability],
  ],
  ['lists of nothing, signed callbacks, and held bodies', [emptyItems, signedCallbacks, heldBodies]],
])('at once: %s', async (_what, attacks) => {
  const answers: unknown[] = [];
  await expectUnhurt(
    service,
    neighbour,
    async () => {
      const ends = await Promise.all(attacks.map(async (attack) => attack()));
      return async () => answers.push(...(await Promise.all(ends.map((end) => end()))));
    },
    ATTACK_MS,
  );
  console.info(`The attackers got ${JSON.stringify(answers)}`);
  expect(JSON.stringify(answers)).not.toContain('"500"');
  expect(service.isRunning).toBe(true);
});
