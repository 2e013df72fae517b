import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { draft } from '../proposals/support';
import { createEmptyDatabase } from '../support/empty-database';
import { Client } from '../support/http-client';
import type { ServiceProcess } from '../support/service-process';
import { sql } from '../support/sql';
import { prepare, Services } from './installation';
import { expectUnhurt } from './hostile';

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
  const lineItems = Array.from({ length: 100 }, () => ({
    description: '€'.repeat(500),
    unit: 'flat',
    unitAmount: 1,
  }));
  await draft(new Client(service.baseUrl, attacker), { lineItems });
  const columns = (
    await sql<{ name: string }>(
      database.url,
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'proposals'`,
    )
  ).map(({ name }) => name);
  const changed: Record<string, string> = { id: 'gen_random_uuid()', number: 'number + n' };
  await sql(
    database.url,
    `INSERT INTO proposals (${columns.join(', ')})
     SELECT ${columns.map((name) => changed[name] ?? name).join(', ')} FROM proposals, generate_series(1, 120) AS n`,
  );
});
afterAll(async () => {
  await services.remove();
  await database.drop();
});

const request = `GET /v1/proposals?limit=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer KEY\r\n\r\n`;

/** Asks for a page of 4 MiB, again and again if it is broken off, and reads it as it likes. */
function attackWith(read: (socket: Socket) => void, { pipelined = 1 } = {}): Promise<() => Promise<void>> {
  const sockets = new Set<Socket>();
  let isOver = false;
  const open = () => {
    if (isOver) return;
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      setTimeout(open, 200);
    });
    socket.write(request.replace('KEY', attacker).repeat(pipelined));
    read(socket);
  };
  for (let count = 0; count < CLIENTS; count++) open();
  const end = async () => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
    await sleep(500);
  };
  return Promise.resolve(end);
}

const slowly = (socket: Socket) => {
  socket.on('data', () => {
    socket.pause();
    setTimeout(() => socket.resume(), 500);
  });
};

test.each<[string, () => Promise<() => Promise<void>>]>([
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
          if (chunk.length < 65_536) socket.write(request.replace('KEY', attacker));
        }),
      ),
  ],
])(`${CLIENTS} clients of pages of 4 MiB %s`, async (_how, attack) => {
  await expectUnhurt(service, neighbour, attack, ATTACK_MS);
  // What is over is forgotten: the attacker itself is served again.
  await sleep(2500);
  expect((await new Client(service.baseUrl, attacker).get('/v1/proposals?limit=100')).status).toBe(200);
});
