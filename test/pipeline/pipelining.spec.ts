import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onConnection } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { until } from '../support/until';

/** Beside the one that is being answered. */
const MAX_AHEAD = 16;

let gala: TestGala;
let key: string;
beforeAll(async () => {
  gala = await startGala({ configuration: { publicRateLimits: { pages: 1e6, files: 1e6 } } });
  key = await (await gala.createWorkspace()).key('live');
});
afterAll(() => gala.stop());

const get = (path: string, id: string | number) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nX-Request-Id: ${id}\r\n\r\n`;

function open(): { socket: Socket; answers: () => string } {
  const socket = connect(Number(new URL(gala.baseUrl).port), '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('error', () => undefined).on('data', (chunk) => chunks.push(chunk));
  return { socket, answers: () => Buffer.concat(chunks).toString('latin1') };
}

const idsIn = (answers: string) => [...answers.matchAll(/X-Request-Id: (\d+)/gi)].map(([, id]) => Number(id));

test('requests that are sent ahead are answered in order, one after the other', async () => {
  const ids = Array.from({ length: MAX_AHEAD + 1 }, (_, index) => index);
  const { socket, answers } = open();
  await onConnection(gala.databaseUrl, async (blocker) => {
    await blocker.query('BEGIN; LOCK TABLE leads IN ACCESS EXCLUSIVE MODE');
    socket.write(ids.map((id) => get('/v1/leads', id)).join(''));
    await sleep(500);
    const { rows } = await blocker.query(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(rows[0].count).toBe(1);
    await blocker.query('COMMIT');
  });
  await until(() => idsIn(answers()).length >= ids.length, 'every answer');
  expect(idsIn(answers())).toEqual(ids);
  socket.destroy();
});

test('a client that sends more ahead than it may loses its connection, and no other one notices', async () => {
  const { socket } = open();
  socket.write(get('/v1/leads', 1).repeat(1000));
  await new Promise((resolve) => socket.once('close', resolve));
  const { socket: other, answers } = open();
  other.write(get('/v1/me', 2));
  await until(() => answers().includes('HTTP/1.1 200'), 'the answer to another client');
  other.destroy();
});

test('nothing is kept of answers whose connection has ended before their turn', async () => {
  const count = () => readdirSync('/dev/fd').length;
  await sleep(200);
  const before = count();
  for (let round = 0; round < 10; round++) {
    const { socket } = open();
    socket.pause();
    socket.write(get('/docs/swagger-ui-bundle.js', round).repeat(MAX_AHEAD + 1));
    await sleep(50);
    socket.destroy();
  }
  await until(
    () => count() <= before + 5,
    () => `at most ${before + 5} open files instead of ${count()}`,
  );
});
