import { connect as connectSocket, type Socket } from 'node:net';
import { newId } from '../../src/kernel/ids';
import { Metrics } from '../../src/platform/health/metrics';
import { connect } from '../messages/whatsapp-support';
import { expectRefusal } from '../support/expect-refusal';
import { Client } from '../support/http-client';
import { RawConnection, rawRequest } from '../support/raw-http';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { until } from '../support/until';
import type { Callbacks } from '../support/whatsapp-server';
import { WhatsAppServer } from '../support/whatsapp-server';

const KIB = 1024;
const BODY_MEMORY = 32 * KIB * KIB;
const SHARE = BODY_MEMORY / 8;
const FULL = 256 * KIB;

let whatsApp: WhatsAppServer;
let gala: TestGala;
let callbacks: Callbacks;
let client: Client;
let workspace: TestWorkspace;
const opened: Socket[] = [];
beforeAll(async () => {
  whatsApp = await WhatsAppServer.start();
  gala = await startGala({
    configuration: { bodyMemory: BODY_MEMORY, whatsAppApiUrl: whatsApp.url, trustedProxies: ['127.0.0.2'] },
  });
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  callbacks = await connect(gala, workspace);
});
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  await untilHeld(0);
});
afterAll(async () => {
  await gala.stop();
  await whatsApp.stop();
});

/** Sends all of a body but its last byte, and leaves it at that. */
async function hold(path: string, headers: string[], bytes = FULL): Promise<void> {
  const { port } = new URL(gala.baseUrl);
  const socket = connectSocket(Number(port), '127.0.0.1').on('error', () => undefined);
  opened.push(socket.resume());
  const head = rawRequest(`POST ${path} HTTP/1.1`, [...headers, `Content-Length: ${bytes}`]);
  await new Promise((sent) => socket.write(head + 'x'.repeat(bytes - 1), sent));
}
/** Waits until bodies take up that many bytes: the service reserves them as soon as it has read the headers. */
const untilHeld = (bytes: number) =>
  until(async () => {
    const metrics = await gala.app.get(Metrics, { strict: false }).render();
    return Number(/^gala_request_body_bytes (\d+)/m.exec(metrics)?.[1]) === bytes;
  }, `bodies of ${bytes} bytes`);
const holdMany = (count: number, path: string, headers: string[]) =>
  Promise.all(Array.from({ length: count }, () => hold(path, headers)));
const withKey = ({ key }: Client) => [`Authorization: Bearer ${key}`, 'Content-Type: application/json'];
const FORM = ['Content-Type: application/x-www-form-urlencoded'];
const lead = (size = 0) => `{"email":"ana@example.com"}${' '.repeat(size)}`;

test('a workspace over its share is told to send less at once, others and its other mode are served', async () => {
  await holdMany(SHARE / FULL, '/v1/leads', withKey(client));
  await untilHeld(SHARE);
  const refused = await client.post('/v1/leads', lead());
  expectRefusal(refused, 429);
  expect(refused.headers['retry-after']).toBe('1');
  expect(refused.body.error.message).toContain('large requests');
  expect((await client.get('/v1/leads')).status).toBe(200);
  for (const other of [await (await gala.createWorkspace()).client()]) {
    expect((await other.post('/v1/leads', lead(100_000))).status).toBe(201);
  }
  for (const socket of opened.splice(0)) socket.destroy();
  await untilHeld(0);
  expect((await client.post('/v1/leads', lead())).status).toBe(201);
});

test('a key that fills the share of its workspace gives way to another one, and then leaves it half', async () => {
  const other = await workspace.client();
  await holdMany(SHARE / FULL, '/v1/leads', withKey(client));
  await untilHeld(SHARE);
  expect((await other.post('/v1/leads', lead(100_000))).status).toBe(201);
  for (const socket of opened.splice(0)) socket.destroy();
  await untilHeld(0);
  await holdMany(SHARE / FULL, '/v1/leads', withKey(client));
  await untilHeld(SHARE / 2);
  expectRefusal(await client.post('/v1/leads', lead(100_000)), 429);
  expect((await other.post('/v1/leads', lead(100_000))).status).toBe(201);
});

test('an address without a key takes nothing from keys at the same address', async () => {
  await holdMany(SHARE / FULL, '/oauth/token', FORM);
  await untilHeld(SHARE);
  expectRefusal(await gala.anonymous.post('/oauth/token', { grant_type: 'refresh_token' }), 429);
  const page = await gala.anonymous.post('/sign-in', 'email=a', {
    headers: { 'Content-Type': FORM[0]!.slice(14) },
  });
  expect(page.status).toBe(429);
  expect(page.text).toContain('<html');
  expect((await client.post('/v1/leads', lead())).status).toBe(201);
});

test('eight addresses that fill all of the memory keep nobody out: the slowest gives way', async () => {
  for (let index = 0; index < 8; index++) {
    await throughProxy(`10.0.0.${index}`);
  }
  await untilHeld(BODY_MEMORY);
  for (let count = 0; count < 20; count++) {
    expect((await client.post('/v1/leads', lead(10_000))).status).toBe(201);
  }
  const { text } = await gala.anonymous.get('/health/live');
  expect(text).toContain('ok');
});

/** Holds the whole share of an address that a trusted proxy names. */
async function throughProxy(address: string): Promise<void> {
  const { port } = new URL(gala.baseUrl);
  const headers = [...FORM, `X-Forwarded-For: ${address}`, `Content-Length: ${FULL}`];
  const head = rawRequest('POST /oauth/token HTTP/1.1', headers);
  for (let count = 0; count < SHARE / FULL; count++) {
    const socket = connectSocket({ port: Number(port), host: '127.0.0.1', localAddress: '127.0.0.2' });
    opened.push(socket.on('error', () => undefined).resume());
    await new Promise((sent) => socket.write(head + 'x'.repeat(1000), sent));
  }
}

describe('a callback of WhatsApp', () => {
  const HUGE = 3 * KIB * KIB;
  const announce = async (path: string, headers: string[] = []) => {
    const connection = await RawConnection.open(gala.baseUrl);
    opened.push(connection.socket);
    const type = 'Content-Type: application/json';
    void connection.send(rawRequest(`POST ${path} HTTP/1.1`, [type, ...headers, `Content-Length: ${HUGE}`]));
    return (await connection.answer())!;
  };

  test.each([
    [
      'to an unknown connection',
      404,
      () => `/channels/whatsapp/${newId('chan')}`,
      [`X-Hub-Signature-256: sha256=${'0'.repeat(64)}`],
    ],
    ['without a signature', 403, () => callbacks.path, []],
    ['with a malformed signature', 403, () => callbacks.path, ['X-Hub-Signature-256: sha256=abc']],
  ] as [string, number, () => string, string[]][])(
    '%s is answered without its body',
    async (_, status, path, headers) => {
      expectRefusal(await announce(path(), headers), status, { counted: false });
    },
  );

  test('with the signature of another body is read, and refused', async () => {
    const forged = await callbacks.send(Buffer.from('{}'), {
      'X-Hub-Signature-256': `sha256=${'0'.repeat(64)}`,
    });
    expectRefusal(forged, 403, { counted: false });
  });
});
