import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectRefusal } from '../support/expect-refusal';
import type { Client } from '../support/http-client';
import { onConnection, sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';

const LIMIT = 5;

let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala({ configuration: { maxConcurrentRequests: LIMIT } });
  client = await (await gala.createWorkspace()).client();
});
afterAll(() => gala.stop());

test('more requests than may be worked on at once are turned away at once, and nothing else is', async () => {
  await onConnection(gala.databaseUrl, async (blocker) => {
    await blocker.query('BEGIN; LOCK TABLE leads IN ACCESS EXCLUSIVE MODE');
    const waiting = Array.from({ length: LIMIT }, (_, index) =>
      client.post('/v1/leads', { email: `waiting-${index}@example.com` }),
    );
    const areWaiting = async () =>
      (await sql(gala.databaseUrl, 'SELECT 1 FROM pg_locks WHERE NOT granted')).length === LIMIT;
    while (!(await areWaiting())) await sleep(20);
    const paths = ['/v1/leads', '/v1/me', '/v1/nope'];
    for (const refused of await Promise.all(paths.map((path) => client.get(path)))) {
      expectRefusal(refused, 500);
      expect(refused.headers['retry-after']).toBe('1');
    }
    const page = await gala.anonymous.get('/sign-in');
    expect(page.status).toBe(500);
    for (const path of ['/health/live', '/health/ready']) {
      expect((await gala.anonymous.get(path)).status).toBe(200);
    }
    await blocker.query('COMMIT');
    for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(201);
  });
  expect((await client.get('/v1/leads')).body.pagination.total).toBe(LIMIT);
  expect(gala.logged.filter((line) => line.includes('request failed'))).toEqual([]);
});

test('clients that are slow to send take no places', async () => {
  const { port } = new URL(gala.baseUrl);
  const head = `POST /v1/leads HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;
  const slow = Array.from({ length: 10 * LIMIT }, () => connect(Number(port), '127.0.0.1'));
  for (const socket of slow) socket.on('error', () => undefined).write(head);
  await sleep(500);
  for (let count = 0; count < 20; count++) expect((await client.get('/v1/me')).status).toBe(200);
  for (const socket of slow) socket.destroy();
});

test('requests that are worked on without their bodies count, though their bodies never end', async () => {
  const { port } = new URL(gala.baseUrl);
  const head = `GET /v1/leads HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\nContent-Length: 1000\r\n\r\n{`;
  const sockets = Array.from({ length: LIMIT }, () => connect(Number(port), '127.0.0.1'));
  await onConnection(gala.databaseUrl, async (blocker) => {
    await blocker.query('BEGIN; LOCK TABLE leads IN ACCESS EXCLUSIVE MODE');
    for (const socket of sockets) socket.on('error', () => undefined).write(head);
    await sleep(500);
    expectRefusal(await client.get('/v1/me'), 500);
    await blocker.query('COMMIT');
  });
  for (const socket of sockets) socket.destroy();
  for (let tries = 0; tries < 100 && (await client.get('/v1/me')).status !== 200; tries++) await sleep(20);
  expect((await client.get('/v1/me')).status).toBe(200);
});
