import { PasswordHasher } from '../../src/modules/accounts/application/ports';
import { PageClient } from '../support/page-client';
import { FastPasswordHasher } from '../support/password-hashers';
import { newEmail, PASSWORD, signIn, someone } from '../support/people';
import { TestRedis } from '../support/redis';
import { isMissing } from '../support/requirements';
import { startGala, type TestGala } from '../support/start-gala';

const from = (address: string) => ({ 'X-Forwarded-For': address });
let nextAddress = 0;
/** An address that nothing came from before. */
const newAddress = () => `10.1.${nextAddress >> 8}.${nextAddress++ & 255}`;

/** The answers' statuses, with how often each came. */
async function tally(answers: Promise<{ status: number }>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe.each(isMissing('redis-server') ? ['memory'] : ['memory', 'Redis'])(
  'guesses, counted in %s,',
  (where) => {
    let redis: TestRedis | undefined;
    let gala: TestGala;
    let email: string;
    let csrf: { cookies: Map<string, string>; csrfToken: string };
    beforeAll(async () => {
      if (where === 'Redis') redis = await TestRedis.start();
      gala = await startGala({
        configuration: { trustedProxies: ['loopback'], redisUrl: redis?.url },
        overrides: [{ provide: PasswordHasher, useClass: FastPasswordHasher }],
      });
      const shown = new PageClient(gala.baseUrl);
      csrf = { csrfToken: await shown.csrfToken('/sign-in'), cookies: shown.cookies };
    });
    afterAll(async () => {
      await gala.stop();
      await redis?.kill();
    });
    beforeEach(async () => {
      ({ email } = await someone(gala));
    });

    /** One try of a browser that is new each time. */
    function attempt(address: string, { account = email, password = 'wrong', cookies = {} } = {}) {
      const browser = new PageClient(gala.baseUrl, from(address));
      for (const [name, value] of [...csrf.cookies, ...Object.entries(cookies)])
        browser.cookies.set(name, value as string);
      return browser.post('/sign-in', { csrfToken: csrf.csrfToken, email: account, password });
    }
    const times = (count: number, work: (index: number) => Promise<{ status: number }>) =>
      tally(Array.from({ length: count }, (_, index) => work(index)));

    test('are ten for an account from one address, also at once; elsewhere its owner gets in', async () => {
      const address = newAddress();
      expect(await times(15, () => attempt(address))).toEqual({ 422: 10, 429: 5 });
      const refused = await attempt(address, { account: email.toUpperCase(), password: PASSWORD });
      expect(refused.status).toBe(429);
      expect(refused.text).toMatch(/Too many attempts\. Try again in 1\d minutes\./);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(901);
      expect((await attempt(newAddress(), { password: PASSWORD })).status).toBe(303);
      const other = (await someone(gala)).email;
      expect((await attempt(address, { account: other, password: PASSWORD })).status).toBe(303);
    });

    test('are a hundred for an account from everywhere, and its owner’s browser still gets in', async () => {
      const { cookies } = await signIn(gala.baseUrl, email, PASSWORD, from(newAddress()));
      const known = { 'gala-known': cookies.get('gala-known')! };
      expect(await times(102, () => attempt(newAddress()))).toEqual({ 422: 100, 429: 2 });
      expect((await attempt(newAddress(), { password: PASSWORD })).status).toBe(429);
      expect((await attempt(newAddress(), { password: PASSWORD, cookies: known })).status).toBe(303);
      const forOther = { password: PASSWORD, cookies: known, account: (await someone(gala)).email };
      expect((await attempt(newAddress(), forOther)).status).toBe(303);
      const forged = { 'gala-known': `${known['gala-known'].split('.')[0]}.${'A'.repeat(43)}` };
      expect((await attempt(newAddress(), { password: PASSWORD, cookies: forged })).status).toBe(429);
    });

    test('in a known browser are ten, and don’t count against others', async () => {
      const { cookies } = await signIn(gala.baseUrl, email, PASSWORD, from(newAddress()));
      const known = { 'gala-known': cookies.get('gala-known')! };
      expect(await times(12, () => attempt(newAddress(), { cookies: known }))).toEqual({ 422: 10, 429: 2 });
      expect((await attempt(newAddress(), { password: PASSWORD })).status).toBe(303);
    });

    test.each([
      ['one address', () => '10.2.0.1', '10.2.0.2'],
      ['one IPv6 network', (index: number) => `2001:db8:1:2::${index.toString(16)}`, '2001:db8:1:3::1'],
    ])('are a hundred from %s, whomever they are for', async (_, addressOf, other) => {
      const strangers = (index: number) => attempt(addressOf(index), { account: newEmail() });
      expect(await times(103, strangers)).toEqual({ 422: 100, 429: 3 });
      expect((await attempt(addressOf(999), { password: PASSWORD })).status).toBe(429);
      expect((await attempt(other, { password: PASSWORD })).status).toBe(303);
    });

    test('that were right don’t count', async () => {
      const address = newAddress();
      for (let count = 0; count < 12; count++)
        expect((await attempt(address, { password: PASSWORD })).status).toBe(303);
      expect(await times(12, () => attempt(address))).toEqual({ 422: 10, 429: 2 });
    });
  },
);
