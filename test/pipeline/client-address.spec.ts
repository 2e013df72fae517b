import { newEmail, someone, PASSWORD } from '../support/people';
import { PageClient } from '../support/page-client';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { pathOf, sent } from '../proposals/support';

let gala: TestGala;
beforeAll(async () => {
  gala = await startGala({ configuration: { trustedProxies: ['loopback'] } });
});
afterAll(() => gala.stop());

/** What a proxy says of where a request comes from, and what is kept of it. */
const ADDRESSES = [
  ['203.0.113.7:49152', '203.0.113.7'],
  ['[2001:db8::7]:49152', '2001:db8::7'],
  ['[::ffff:203.0.113.7]:49152', '203.0.113.7'],
  ['198.51.100.9:1, 203.0.113.7:49152', '203.0.113.7'],
  ['unknown', 'unknown'],
  ['<script>', 'unknown'],
];

test.each(ADDRESSES)('a session from %s holds %s', async (forwarded, address) => {
  const { email } = await someone(gala, newEmail());
  const browser = new PageClient(gala.baseUrl, { 'X-Forwarded-For': forwarded });
  await browser.submit('/sign-in', { email, password: PASSWORD }, { on: '/sign-in' });
  const held = 'SELECT address FROM sessions JOIN users ON users.id = user_id WHERE email = $1';
  expect(await sql(gala.databaseUrl, held, [email])).toEqual([{ address }]);
});

test.each(ADDRESSES)('the evidence of a proposal accepted from %s holds %s', async (forwarded, address) => {
  const client = await (await gala.createWorkspace()).client();
  const offer = await sent(client);
  const browser = new PageClient(gala.baseUrl, { 'X-Forwarded-For': forwarded, 'User-Agent': 'Firefox' });
  const fields = { name: 'Ana Pérez', consent: 'yes', version: '1' };
  const { status } = await browser.submit(`${pathOf(offer)}/accept`, fields, { on: pathOf(offer) });
  expect(status).toBe(303);
  expect((await client.get(`/v1/proposals/${offer.id}`)).body.acceptance).toMatchObject({ address });
});
