import { newId } from '../../src/kernel/ids';
import { startGala, type TestGala } from '../support/start-gala';
import { Callbacks, newWamid, WhatsAppServer } from '../support/whatsapp-server';
import { connect } from './whatsapp-support';

const LIMIT = 20;

let whatsApp: WhatsAppServer;
let gala: TestGala;
let callbacks: Callbacks;
beforeEach(async () => {
  whatsApp = await WhatsAppServer.start();
  gala = await startGala({
    configuration: {
      whatsAppApiUrl: whatsApp.url,
      rateLimits: { reads: 1000, writes: 1000, address: LIMIT },
    },
  });
  callbacks = await connect(gala, await gala.createWorkspace());
});
afterEach(async () => {
  await gala.stop();
  await whatsApp.stop();
});

test('forgers are told to wait, and keep no signed callback out', async () => {
  const forger = new Callbacks(gala.baseUrl, callbacks.path, 'f'.repeat(32));
  const forge = () => forger.status(newWamid(), 'read');
  const statuses = await Promise.all(Array.from({ length: LIMIT + 10 }, async () => (await forge()).status));
  expect(statuses.filter((status) => status === 403)).toHaveLength(LIMIT);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  expect(Number((await forge()).headers['retry-after'])).toBeGreaterThan(0);
  for (let times = 0; times < LIMIT + 10; times++) {
    expect((await callbacks.status(newWamid(), 'read')).status).toBe(200);
  }
  // They share the count of whoever comes from there without a credential.
  expect((await gala.anonymous.get('/v1/me')).status).toBe(429);
});

test.each([
  ['addresses', () => gala.anonymous.post(`/channels/whatsapp/${newId('chan')}`, {}), 404],
  [
    'verify tokens',
    () => {
      const query = { 'hub.mode': 'subscribe', 'hub.verify_token': 'a guess', 'hub.challenge': '1' };
      return gala.anonymous.get(`${callbacks.path}?${new URLSearchParams(query)}`);
    },
    403,
  ],
])('guesses at %s count, too', async (_, guess, refused) => {
  for (let times = 0; times < LIMIT; times++) expect((await guess()).status).toBe(refused);
  expect((await guess()).status).toBe(429);
});
