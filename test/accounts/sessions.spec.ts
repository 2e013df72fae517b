import { Clock } from '../../src/kernel/clock';
import { Mailer } from '../../src/kernel/mailer';
import { FakeClock } from '../support/fake-clock';
import { Mailbox } from '../support/mailbox';
import { outcome, PageClient } from '../support/page-client';
import { browserOf, isSignedIn, PASSWORD, signIn, someone } from '../support/people';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';

const DAY = 24 * 3600;

const clock = new FakeClock();
const mailbox = new Mailbox();
const overrides = [
  { provide: Clock, useValue: clock },
  { provide: Mailer, useValue: mailbox },
];
let gala: TestGala;
let twin: TestGala;
let email: string;
beforeAll(async () => {
  gala = await startGala({ overrides });
  twin = await startGala({ overrides, databaseUrl: gala.databaseUrl });
});
afterAll(async () => {
  await twin.stop();
  await gala.stop();
});
beforeEach(async () => {
  ({ email } = await someone(gala));
});

const browsers = (count: number) => Promise.all(Array.from({ length: count }, () => browserOf(gala, email)));
const areSignedIn = (all: PageClient[]) => Promise.all(all.map(isSignedIn));

describe('signing out', () => {
  test('ends this session alone, and the cookie of before is worth nothing', async () => {
    const [browser, other] = (await browsers(2)) as [PageClient, PageClient];
    const former = browser.copy(gala.baseUrl);
    expect(outcome(await browser.submit('/sign-out'))).toBe('303 /sign-in?notice=signed-out');
    expect(await areSignedIn([browser, former, other])).toEqual([false, false, true]);
    expect((await browser.get('/sign-in?notice=signed-out')).text).toContain('You are signed out.');
  });

  test('everywhere works at once, also on another instance, and on no one else', async () => {
    const all = await browsers(4);
    const elsewhere = all.map((browser) => browser.copy(twin.baseUrl));
    const bystander = await browserOf(gala, (await someone(gala)).email);
    expect(await areSignedIn(elsewhere)).toEqual([true, true, true, true]);
    const answer = await all[0]!.submit('/account/sign-out-everywhere');
    expect(outcome(answer)).toBe('303 /sign-in?notice=signed-out-everywhere');
    expect(await areSignedIn([...elsewhere, ...all])).toEqual(Array(8).fill(false));
    expect(await isSignedIn(bystander)).toBe(true);
  });
});

describe('a session', () => {
  test('ends 30 days after the sign-in, however busy it was', async () => {
    const browser = await browserOf(gala, email);
    for (let days = 0; days < 29; days++) {
      clock.advance(DAY);
      expect(await isSignedIn(browser)).toBe(true);
    }
    clock.advance(DAY - 1);
    expect(await isSignedIn(browser)).toBe(true);
    clock.advance(1);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('ends when nobody used it for 14 days', async () => {
    const [used, idle] = (await browsers(2)) as [PageClient, PageClient];
    clock.advance(7 * DAY);
    expect(await isSignedIn(used)).toBe(true);
    clock.advance(7 * DAY);
    expect(await areSignedIn([used, idle])).toEqual([true, false]);
  });

  test('is thrown away some time after its end', async () => {
    const count = async () => (await sql(gala.databaseUrl, 'SELECT FROM sessions')).length;
    await browsers(3);
    clock.advance(31 * DAY);
    await browsers(1);
    expect(await count()).toBe(1);
  });

  test('is listed where its owner can see it, and nobody else’s', async () => {
    await signIn(gala.baseUrl, email, PASSWORD, {
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    });
    await signIn(gala.baseUrl, (await someone(gala)).email, PASSWORD, { 'User-Agent': 'Theirs' });
    const { text } = await (await browserOf(gala, email)).get('/account');
    expect(text).toContain('Firefox on Linux');
    expect(text).not.toContain('Theirs');
    expect(text.match(/This browser/g)).toHaveLength(1);
  });
});

describe('changing the password', () => {
  const NEXT = 'lantern mosaic ferry pickle';
  const change = (browser: PageClient, fields = {}) =>
    browser.submit('/account/password', { current: PASSWORD, next: NEXT, ...fields }, { on: '/account' });

  test('keeps this browser signed in, ends every other session, and is told by mail', async () => {
    const [browser, ...others] = (await browsers(3)) as [PageClient, PageClient, PageClient];
    expect(outcome(await change(browser))).toBe('303 /account?notice=password-changed');
    const onTwin = others.map((other) => other.copy(twin.baseUrl));
    expect(await areSignedIn([browser, ...others, ...onTwin])).toEqual([true, false, false, false, false]);
    await expect(signIn(gala.baseUrl, email)).rejects.toThrow('don’t match');
    expect(await isSignedIn(await signIn(gala.baseUrl, email, NEXT))).toBe(true);
    expect(mailbox.to(email).map(({ subject }) => subject)).toEqual(['Your Gala password was changed']);
  });

  test.each([
    ['the current one is wrong', { current: 'something else entirely' }, 'current'],
    ['the new one is short', { next: 'elevenchars' }, 'next'],
    ['the new one says little', { next: 'abababababababab' }, 'next'],
    ['the new one is missing', { next: '' }, 'next'],
    ['the new one holds a NUL', { next: 'lantern mosaic \0 ferry' }, 'next'],
  ])('is refused when %s', async (_, fields, field) => {
    const [browser, other] = (await browsers(2)) as [PageClient, PageClient];
    const { status, text } = await change(browser, fields);
    expect(status).toBe(422);
    expect(text).toContain(`href="#field-${field}"`);
    for (const typed of Object.values({ current: PASSWORD, next: NEXT, ...fields }).filter(Boolean))
      expect(text).not.toContain(typed);
    expect(await isSignedIn(other)).toBe(true);
    await signIn(gala.baseUrl, email);
  });
});
