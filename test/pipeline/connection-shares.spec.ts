import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGala, type TestGala } from '../support/start-gala';
import { until } from '../support/until';

const LIMIT = 5;

let gala: TestGala;
let opened: Socket[] = [];
const start = async (trustedProxies: string[] = []) => {
  gala = await startGala({ configuration: { maxConnectionsPerAddress: LIMIT, trustedProxies } });
};
afterEach(async () => {
  for (const socket of opened) socket.destroy();
  opened = [];
  await gala.stop();
});

async function open(localAddress: string, bytes = ''): Promise<Socket> {
  const { port } = new URL(gala.baseUrl);
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined).resume();
  opened.push(socket);
  await once(socket, 'connect');
  if (bytes) socket.write(bytes);
  return socket;
}

async function isServed(localAddress: string): Promise<boolean> {
  const socket = await open(localAddress, 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
  const outcome = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  socket.destroy();
  return outcome[0] instanceof Buffer && outcome[0].toString().includes('200 OK');
}

test.each([
  ['say nothing', ''],
  ['trickle their headers', 'GET /v1/leads HTTP/1.1\r\nHost: x\r\nX-A: b'],
  ['trickle their bodies', 'POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nx'],
  ['keep idle after they asked', 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['pipeline', 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(10)],
])('an address has a share of connections, also of those that %s', async (_, bytes) => {
  await start();
  for (let count = 0; count < LIMIT; count++) await open('127.0.0.3', bytes);
  await sleep(50);
  expect(await isServed('127.0.0.3')).toBe(false);
  expect(opened.slice(0, LIMIT).every((socket) => !socket.destroyed)).toBe(true);
  expect(await isServed('127.0.0.4')).toBe(true);
  opened[0]!.destroy();
  // Once the service has noticed it.
  await until(() => isServed('127.0.0.3'), 'the address to be served again');
});

test('a trusted proxy has as many as it opens', async () => {
  await start(['127.0.0.3']);
  for (let count = 0; count < 3 * LIMIT; count++) await open('127.0.0.3');
  expect(await isServed('127.0.0.3')).toBe(true);
});
