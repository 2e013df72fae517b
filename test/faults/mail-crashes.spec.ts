import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Accounts } from '../../src/modules/accounts';
import { PageClient } from '../support/page-client';
import { createDatabase } from '../support/database';
import type { ServiceProcess } from '../support/service-process';
import { SmtpReceiver } from '../support/smtp-receiver';
import { sql } from '../support/sql';
import { startGala } from '../support/start-gala';
import { Services } from './installation';
import { until } from './support';

jest.setTimeout(600_000);

const KILLS = 5;

let services: Services;
let database: Awaited<ReturnType<typeof createDatabase>>;
let receiver: SmtpReceiver;
const cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  services = new Services();
  database = await createDatabase();
  receiver = await new SmtpReceiver().start();
});
afterAll(async () => {
  await services.remove();
  for (const clean of cleanups) clean();
  await receiver.stop();
  await database.drop();
});

function startService(smtpUrl: string): Promise<ServiceProcess> {
  return services.start({ DATABASE_URL: database.url, SMTP_URL: smtpUrl, LOG_LEVEL: 'warn' });
}

/** A mail server that accepts connections and never says a word. */
async function silentServer(): Promise<{ url: string; sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
}

async function people(count: number): Promise<string[]> {
  const gala = await startGala({ databaseUrl: database.url });
  const emails = Array.from({ length: count }, (_, index) => `person-${index}@example.com`);
  for (const email of emails) await gala.app.get(Accounts, { strict: false }).findOrAdd(email);
  await gala.stop();
  return emails;
}

const waiting = async () =>
  (await sql<{ count: number }>(database.url, 'SELECT count(*)::int FROM outgoing_mails'))[0]!.count;

test(`${KILLS} kill -9s between the answer and the mail server: each promised mail arrives, once`, async () => {
  const silent = await silentServer();
  const emails = await people(KILLS);
  for (const [index, email] of emails.entries()) {
    const service = await startService(silent.url);
    const browser = new PageClient(service.baseUrl);
    const { status } = await browser.submit('/password-reset', { email }, { on: '/password-reset' });
    expect(status).toBe(200);
    await until(() => silent.sockets.length > index, { withinMs: 10_000 });
    await service.kill();
  }
  expect(await waiting()).toBe(KILLS);

  const service = await startService(receiver.url);
  await until(async () => (await waiting()) === 0, { withinMs: 180_000, everyMs: 500 });
  expect(receiver.received.flatMap(({ recipients }) => recipients).sort()).toEqual(emails);
  for (const email of emails) {
    const { pathname } = await receiver.linkTo(email, /^\/password-reset\//);
    expect((await new PageClient(service.baseUrl).get(pathname)).status).toBe(200);
  }
  expect(await service.stop()).toBe(0);
});
