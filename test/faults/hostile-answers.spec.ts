import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEmptyDatabase } from '../support/empty-database';
import { Client } from '../support/http-client';
import type { ServiceProcess } from '../support/service-process';
import { type End, readAsTheyLike, requestFor } from './attacks';
import { expectUnhurt } from './hostile';
import { fillPageOfProposals } from './hostile-data';
import { prepare, Services } from './installation';

const CLIENTS = 40;
const ATTACK_MS = 20_000;

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let services: Services;
let service: ServiceProcess;
let attacker: string;
let neighbour: string;
beforeAll(async () => {
  database = await createEmptyDatabase();
  attacker = await prepare(database.url);
  neighbour = await prepare(database.url);
  services = new Services();
  service = await services.start({ DATABASE_URL: database.url });
  await fillPageOfProposals(database.url, new Client(service.baseUrl, attacker));
});
afterAll(async () => {
  await services.remove();
  await database.drop();
});

const PATH = '/v1/proposals?limit=100';

/** Of pages of the largest size there is. */
function attackWith(read: (socket: Socket) => void, { pipelined = 1 } = {}): Promise<End> {
  return Promise.resolve(
    readAsTheyLike(service, { key: attacker, path: PATH, clients: CLIENTS, read, pipelined }),
  );
}

const slowly = (socket: Socket) => {
  socket.on('data', () => {
    socket.pause();
    setTimeout(() => socket.resume(), 500);
  });
};

test.each<[string, () => Promise<End>]>([
  ['that never read', () => attackWith((socket) => socket.pause())],
  ['that read slowly', () => attackWith(slowly)],
  [
    'that ask for 100 pages at once, and never read',
    () => attackWith((socket) => socket.pause(), { pipelined: 100 }),
  ],
  [
    'that read as fast as they can, and ask again',
    () =>
      attackWith((socket) =>
        socket.on('data', (chunk: Buffer) => {
          if (chunk.length < 65_536) socket.write(requestFor({ key: attacker, path: PATH }));
        }),
      ),
  ],
])(`${CLIENTS} clients of pages of 4 MiB %s`, async (_how, attack) => {
  await expectUnhurt(service, neighbour, attack, ATTACK_MS);
  // What is over is forgotten: the attacker itself is served again.
  await sleep(2500);
  expect((await new Client(service.baseUrl, attacker).get(PATH)).status).toBe(200);
});
