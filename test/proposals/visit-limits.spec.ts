import { Clock } from '../../src/kernel/clock';
import { Retention } from '../../src/platform/jobs/retention';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { onConnection, sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { eventsOf, pathOf, sent, visitor } from './support';

const DAY = 24 * 3600;
const clock = new FakeClock();
let gala: TestGala;
let client: Client;
let addresses = 0;
beforeAll(async () => {
  gala = await startGala({
    overrides: [{ provide: Clock, useValue: clock }],
    configuration: { trustedProxies: ['loopback'] },
  });
  client = await (await gala.createWorkspace()).client();
});
afterAll(() => gala.stop());

const anyone = () => from(`10.7.${addresses >> 8}.${addresses++ & 255}`);
const from = (address: string) => visitor(gala.baseUrl, { 'X-Forwarded-For': address });
const rows = () => sql(gala.databaseUrl, 'SELECT 1 FROM proposal_visitors').then(({ length }) => length);
const viewed = async (offer: { id: string }) =>
  (await eventsOf(client, offer.id)).filter(({ type }) => type === 'proposal.viewed').length;

/** So many new visitors, several at once; each of them can read the page. */
async function visit(offer: { publicUrl: string }, count: number, someone = anyone): Promise<void> {
  for (let left = count; left > 0; left -= 10) {
    const wave = Array.from({ length: Math.min(10, left) }, () => someone().get(pathOf(offer)));
    for (const { status } of await Promise.all(wave)) expect(status).toBe(200);
  }
}

test('of one address 60 visits an hour are recorded, and the first of a proposal always is', async () => {
  const [first, other] = [await sent(client), await sent(client)];
  await visit(first, 1, () => from('10.6.0.1'));
  await visit(other, 1, () => from('10.6.0.1'));
  for (let count = 0; count < 60; count++) {
    const browser = from('10.6.0.1');
    expect((await browser.get(pathOf(count % 2 ? first : other))).status).toBe(200);
  }
  expect((await viewed(first)) + (await viewed(other))).toBe(62);
  await visit(first, 5, () => from('10.6.0.1'));
  expect((await viewed(first)) + (await viewed(other))).toBe(62);
  const last = await sent(client);
  await visit(last, 1, () => from('10.6.0.1'));
  expect(await viewed(last)).toBe(1);
  await visit(first, 1);
  expect((await viewed(first)) + (await viewed(other))).toBe(63);
});

test('of one proposal 50 visitors a day and 200 in all are recorded, wherever they come from, also at once', async () => {
  const offer = await sent(client);
  const before = await rows();
  await visit(offer, 70);
  expect(await viewed(offer)).toBe(50);
  expect((await rows()) - before).toBe(100);
  for (const total of [100, 150, 200, 200]) {
    clock.advance(DAY + 1);
    await visit(offer, 55);
    expect((await rows()) - before).toBe(2 * total);
  }
  const another = await sent(client);
  await visit(another, 1);
  expect(await viewed(another)).toBe(1);
});

test('a visit that changes nothing waits for nobody who is changing the proposal', async () => {
  const offer = await sent(client);
  const known = from('10.5.0.1');
  await known.get(pathOf(offer));
  await onConnection(gala.databaseUrl, async (connection) => {
    await connection.query('BEGIN');
    await connection.query('SELECT FROM proposals FOR UPDATE');
    expect((await known.get(pathOf(offer))).status).toBe(200);
    await connection.query('ROLLBACK');
  });
  expect(await viewed(offer)).toBe(1);
});

test('visitors are forgotten after 90 days and not before', async () => {
  await sql(gala.databaseUrl, 'DELETE FROM proposal_visitors');
  const offer = await sent(client);
  await visit(offer, 3);
  clock.advance(DAY);
  await visit(offer, 2);
  clock.advance(89 * DAY + 1);
  await gala.app.get(Retention, { strict: false }).clear();
  expect(await rows()).toBe(4);
  clock.advance(DAY);
  await gala.app.get(Retention, { strict: false }).clear();
  expect(await rows()).toBe(0);
});
