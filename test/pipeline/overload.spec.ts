import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectRefusal } from '../support/expect-refusal';
import type { Answer, Client } from '../support/http-client';
import { onConnection } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { until } from '../support/until';

jest.setTimeout(30_000);

/** As many writes of one tenant as are worked on while no other is around, and as many lists. */
const TURNS = 8;
const ROOM = 5;

let gala: TestGala;
let client: Client;
let neighbour: Client;
beforeAll(async () => {
  gala = await startGala({ configuration: { maxConcurrentRequests: ROOM } });
  client = await (await gala.createWorkspace()).client();
  neighbour = await (await gala.createWorkspace()).client();
});
afterAll(() => gala.stop());

test('a tenant with too many requests is told to wait, and no other tenant notices', async () => {
  let created = 0;
  await onConnection(gala.databaseUrl, async (blocker) => {
    await blocker.query('BEGIN; LOCK TABLE leads IN ACCESS EXCLUSIVE MODE');
    const answers = Array.from({ length: TURNS + ROOM + 4 }, (_, index) =>
      client.post('/v1/leads', { email: `waiting-${index}@example.com` }),
    );
    const refused: Answer[] = [];
    for (const answer of answers) void answer.then((each) => each.status === 429 && refused.push(each));
    await until(() => refused.length >= 4, 'four refusals');
    for (const answer of refused) {
      expectRefusal(answer, 429);
      expect(answer.headers['retry-after']).toBe('1');
    }
    expect((await neighbour.get('/v1/me')).status).toBe(200);
    expect((await neighbour.get('/v1/nope')).status).toBe(404);
    expect((await gala.anonymous.get('/sign-in')).status).toBe(200);
    for (const path of ['/health/live', '/health/ready']) {
      expect((await gala.anonymous.get(path)).status).toBe(200);
    }
    await blocker.query('COMMIT');
    const tally = (await Promise.all(answers)).map(({ status }) => status);
    created = tally.filter((status) => status === 201).length;
    expect(tally.filter((status) => status !== 201 && status !== 429)).toEqual([]);
    expect(created).toBeGreaterThanOrEqual(TURNS);
  });
  expect((await client.get('/v1/leads')).body.pagination.total).toBe(created);
  expect(gala.logged.filter((line) => line.includes('request failed'))).toEqual([]);
});

test('rotations that wait for a lock leave connections to other tenants, and give their turns back', async () => {
  const { body: key } = await client.post('/v1/api-keys', { name: 'Rotated', scopes: [] });
  await onConnection(gala.databaseUrl, async (blocker) => {
    await blocker.query('BEGIN; LOCK TABLE api_keys IN EXCLUSIVE MODE');
    const answers = Array.from({ length: TURNS + ROOM }, () =>
      client.post(`/v1/api-keys/${key.id}/rotate`, { gracePeriodSeconds: 0 }),
    );
    const waiting = `SELECT FROM pg_locks WHERE relation = 'api_keys'::regclass AND NOT granted`;
    await until(
      async () => ((await blocker.query(waiting)).rowCount ?? 0) >= 4,
      'four that wait for the lock',
    );
    await sleep(300);
    expect((await neighbour.get('/v1/leads')).status).toBe(200);
    await blocker.query('COMMIT');
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => ![201, 422, 429].includes(status))).toEqual([]);
  });
});

test('clients that are slow to send take no turns', async () => {
  const { port } = new URL(gala.baseUrl);
  const head = `POST /v1/leads HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;
  const slow = Array.from({ length: 10 * TURNS }, () => connect(Number(port), '127.0.0.1'));
  for (const socket of slow) socket.on('error', () => undefined).write(head);
  await sleep(500);
  for (let count = 0; count < 20; count++) expect((await client.get('/v1/me')).status).toBe(200);
  for (const socket of slow) socket.destroy();
});

test('requests that are worked on without their bodies count, though their bodies never end', async () => {
  const { port } = new URL(gala.baseUrl);
  const head = `GET /v1/leads HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\nContent-Length: 1000\r\n\r\n{`;
  const sockets = Array.from({ length: TURNS + ROOM }, () => connect(Number(port), '127.0.0.1'));
  await onConnection(gala.databaseUrl, async (blocker) => {
    await blocker.query('BEGIN; LOCK TABLE leads IN ACCESS EXCLUSIVE MODE');
    for (const socket of sockets) socket.on('error', () => undefined).write(head);
    await until(async () => (await client.get('/v1/leads?limit=3')).status === 429, 'all turns to be taken');
    await blocker.query('COMMIT');
  });
  for (const socket of sockets) socket.destroy();
  await until(async () => (await client.get('/v1/leads')).status === 200, 'a turn');
});

test('clients that go away before their answer is there give their turns back', async () => {
  const { port } = new URL(gala.baseUrl);
  const request = `GET /v1/leads HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\n\r\n`;
  for (let round = 0; round < 5; round++) {
    const gone = Array.from({ length: 20 }, () => connect(Number(port), '127.0.0.1'));
    for (const socket of gone) socket.on('error', () => undefined).write(request.repeat(10));
    await sleep(20);
    for (const socket of gone) socket.destroy();
  }
  // What they asked for is worked on to its end.
  await until(async () => (await client.get('/v1/leads')).status === 200, 'a turn');
  for (let count = 0; count < 20; count++) expect((await client.get('/v1/leads')).status).toBe(200);
});

test('requests that wait until a key is out of use keep no others waiting', async () => {
  const padded = { headers: { 'Content-Type': 'application/json' } };
  const rotations = await Promise.all(
    [1, 2, 3].map(async () => {
      const owner = await (await gala.createWorkspace()).client();
      const { id } = (await owner.post('/v1/api-keys', { name: 'Old' })).body;
      return () =>
        owner.request(
          'POST',
          `/v1/api-keys/${id}/rotate`,
          `{"gracePeriodSeconds":0}${' '.repeat(17_000)}`,
          padded,
        );
    }),
  );
  const ended: string[] = [];
  const rotating = rotations.map((rotate) => rotate().then(({ status }) => ended.push(`rotated ${status}`)));
  await sleep(150);
  const listing = neighbour.get('/v1/leads').then(({ status }) => ended.push(`listed ${status}`));
  await Promise.all([...rotating, listing]);
  expect(ended).toEqual(['listed 200', ...Array<string>(3).fill('rotated 201')]);
});
