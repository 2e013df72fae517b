import { Clock } from '../../src/kernel/clock';
import { Accounts } from '../../src/modules/accounts';
import { SecondFactor } from '../../src/modules/accounts/application/second-factor';
import { FakeClock } from '../support/fake-clock';
import type { Answer } from '../support/http-client';
import { outcome, type PageClient } from '../support/page-client';
import { browserOf, codeAt, isSignedIn, signIn, someone } from '../support/people';
import { startGala, type TestGala } from '../support/start-gala';

const STEP = 30;
const PAGE = '/account/two-factor';

const clock = new FakeClock();
let gala: TestGala;
let email: string;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: clock }] });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  ({ email } = await someone(gala));
  // A code is good once: each test begins with a new one.
  clock.advance(5 * STEP);
});

const secretIn = ({ text }: Answer, name = 'secret') =>
  new RegExp(`<code id="field-${name}"[^>]*>([^<]+)<`).exec(text)![1]!;
const codeIn = (seconds: number, secret: string) => codeAt(secret, new Date(clock.in(seconds)));
const sendCode = (browser: PageClient, code: string) =>
  browser.submit('/sign-in/code', { code }, { on: '/sign-in/code' });
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();

/** Turns it on in the way that people do. */
async function enrol() {
  const browser = await browserOf(gala, email);
  const secret = secretIn(await browser.get(PAGE));
  const answer = await browser.submit(PAGE, { code: codeIn(0, secret) }, { on: PAGE });
  expect(answer.status).toBe(200);
  clock.advance(2 * STEP);
  return { browser, secret, codes: secretIn(answer, 'codes').split('\n') };
}

describe('setting it up', () => {
  test('shows one secret until a code confirms it, then ten recovery codes, once', async () => {
    const browser = await browserOf(gala, email);
    const secret = secretIn(await browser.get(PAGE));
    expect(secretIn(await browser.get(PAGE))).toBe(secret);
    const wrong = await browser.submit(PAGE, { code: '000000' }, { on: PAGE });
    expect([wrong.status, secretIn(wrong)]).toEqual([422, secret]);
    expect(await isSignedIn(await signIn(gala.baseUrl, email))).toBe(true);

    const confirmed = await browser.submit(PAGE, { code: codeIn(0, secret) }, { on: PAGE });
    const codes = secretIn(confirmed, 'codes').split('\n');
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^(?:[a-km-np-z2-9]{4}-){3}[a-km-np-z2-9]{4}$/);
    const managed = (await browser.get(PAGE)).text;
    expect(managed).toContain('You have 10 left');
    for (const shown of [secret, ...codes]) expect(managed).not.toContain(shown);
  });

  test('twice at once gives one set of codes', async () => {
    const browser = await browserOf(gala, email);
    const secret = secretIn(await browser.get(PAGE));
    const csrfToken = await browser.csrfToken('/account');
    const fields = { csrfToken, code: codeIn(0, secret) };
    const answers = await Promise.all([1, 2, 3].map(() => browser.post(PAGE, fields)));
    expect(answers.filter(({ text }) => text.includes('Your recovery codes'))).toHaveLength(1);
  });

  test('shows the secret no more to a request that began before it was confirmed', async () => {
    const secondFactor = gala.app.get(SecondFactor, { strict: false });
    const before = (await gala.app.get(Accounts, { strict: false }).find(email))!;
    const { secret } = await secondFactor.enrol(before);
    await secondFactor.confirm(before, codeIn(0, secret));
    await expect(secondFactor.enrol(before)).rejects.toThrow('on already');
  });

  test('leaves the code that confirmed it used up', async () => {
    const browser = await browserOf(gala, email);
    const secret = secretIn(await browser.get(PAGE));
    const code = codeIn(0, secret);
    await browser.submit(PAGE, { code }, { on: PAGE });
    expect((await sendCode(await signIn(gala.baseUrl, email), code)).status).toBe(422);
  });
});

describe('signing in', () => {
  test('takes the code after the password, and leads back to where one came from', async () => {
    const { secret } = await enrol();
    const browser = await signIn(gala.baseUrl, email);
    expect(await isSignedIn(browser)).toBe(false);
    expect(outcome(await browser.get('/account'))).toBe('303 /sign-in?return=%2Faccount');
    const before = browser.copy(gala.baseUrl);
    const fields = { code: codeIn(0, secret), return: '/account' };
    const answer = await browser.submit('/sign-in/code', fields, { on: '/sign-in/code?return=%2Faccount' });
    expect(outcome(answer)).toBe('303 /account');
    expect(browser.cookies.get('gala')).not.toBe(before.cookies.get('gala'));
    expect([await isSignedIn(browser), await isSignedIn(before)]).toEqual([true, false]);
  });

  test('is known to need it on the page of the password', async () => {
    await enrol();
    const browser = await signIn(gala.baseUrl, email);
    expect((await browser.get('/sign-in/code')).text).toContain('Enter your code');
    expect((await browser.get('/sign-in')).status).toBe(200);
  });

  test.each([
    ['of now', 0, 303],
    ['of half a minute ago', -STEP, 303],
    ['of half a minute hence', STEP, 303],
    ['of a minute ago', -2 * STEP, 422],
    ['of a minute hence', 2 * STEP, 422],
  ])('with the code %s', async (_, seconds, status) => {
    const { secret } = await enrol();
    clock.advance(STEP);
    const browser = await signIn(gala.baseUrl, email);
    expect((await sendCode(browser, codeIn(seconds, secret))).status).toBe(status);
    expect(await isSignedIn(browser)).toBe(status === 303);
  });

  test.each([
    ['spaces', (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`, 303],
    ['five digits', (code: string) => code.slice(1), 422],
    ['letters', () => 'abcdef', 422],
    ['nothing', () => '', 422],
    ['digits of another script', () => '١٢٣٤٥٦', 422],
    ['a NUL', (code: string) => `${code}\0`, 422],
  ])('with a code that is written with %s', async (_, write, status) => {
    const { secret } = await enrol();
    expect((await sendCode(await signIn(gala.baseUrl, email), write(codeIn(0, secret)))).status).toBe(status);
  });

  test('works once with each code, and not with the one before it', async () => {
    const { secret } = await enrol();
    clock.advance(STEP);
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => signIn(gala.baseUrl, email)));
    expect((await sendCode(first!, codeIn(0, secret))).status).toBe(303);
    expect((await sendCode(second!, codeIn(0, secret))).status).toBe(422);
    expect((await sendCode(third!, codeIn(-STEP, secret))).status).toBe(422);
  });

  test('with one code in several browsers at once lets exactly one in', async () => {
    const { secret } = await enrol();
    const all = await Promise.all([1, 2, 3, 4].map(() => signIn(gala.baseUrl, email)));
    const code = codeIn(0, secret);
    expect(statuses(await Promise.all(all.map((browser) => sendCode(browser, code))))).toEqual([
      303, 422, 422, 422,
    ]);
  });

  test('ends when the code takes more than ten minutes', async () => {
    const { secret } = await enrol();
    const browser = await signIn(gala.baseUrl, email);
    const csrfToken = await browser.csrfToken('/sign-in/code');
    clock.advance(600);
    const answer = await browser.post('/sign-in/code', { csrfToken, code: codeIn(0, secret) });
    expect(outcome(answer)).toBe('303 /sign-in?notice=too-late');
  });

  test('is refused after ten wrong codes, also with a right one, and other accounts aren’t', async () => {
    const { secret } = await enrol();
    const browser = await signIn(gala.baseUrl, email);
    const csrfToken = await browser.csrfToken('/sign-in/code');
    const send = (code: string) => browser.post('/sign-in/code', { csrfToken, code });
    const wrong = codeIn(90 * STEP, secret);
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(wrong)));
    expect(statuses(answers)).toEqual([...Array<number>(10).fill(422), 429, 429]);
    expect((await send(codeIn(0, secret))).status).toBe(429);

    ({ email } = await someone(gala));
    const other = await enrol();
    const theirs = await signIn(gala.baseUrl, email);
    expect((await sendCode(theirs, codeIn(0, other.secret))).status).toBe(303);
  });
});

describe('a recovery code', () => {
  test('signs in once, in whatever case and with or without its dashes', async () => {
    const { codes } = await enrol();
    const [one, two] = codes as [string, string];
    expect((await sendCode(await signIn(gala.baseUrl, email), one.toUpperCase())).status).toBe(303);
    expect((await sendCode(await signIn(gala.baseUrl, email), one)).status).toBe(422);
    expect((await sendCode(await signIn(gala.baseUrl, email), two.replaceAll('-', ' '))).status).toBe(303);
    expect((await (await browserOf(gala, email)).get(PAGE)).text).toContain('You have 8 left');
  });

  test('in several browsers at once lets exactly one in', async () => {
    const { codes } = await enrol();
    const all = await Promise.all([1, 2, 3, 4].map(() => signIn(gala.baseUrl, email)));
    const answers = await Promise.all(all.map((browser) => sendCode(browser, codes[0]!)));
    expect(statuses(answers)).toEqual([303, 422, 422, 422]);
  });

  test('of somebody else is none', async () => {
    const { codes } = await enrol();
    ({ email } = await someone(gala));
    await enrol();
    expect((await sendCode(await signIn(gala.baseUrl, email), codes[0]!)).status).toBe(422);
  });

  test('is worth nothing once new ones were made, which takes a code', async () => {
    const { browser, secret, codes } = await enrol();
    const path = `${PAGE}/recovery-codes`;
    expect((await browser.submit(path, { code: '000000' }, { on: PAGE })).status).toBe(422);
    const answer = await browser.submit(path, { code: codeIn(0, secret) }, { on: PAGE });
    const renewed = secretIn(answer, 'codes').split('\n');
    expect((await sendCode(await signIn(gala.baseUrl, email), codes[0]!)).status).toBe(422);
    expect((await sendCode(await signIn(gala.baseUrl, email), renewed[0]!)).status).toBe(303);
  });
});

describe('turning it off', () => {
  test('takes a code, and then the password alone signs in', async () => {
    const { browser, secret } = await enrol();
    const turnOff = (code: string) => browser.submit(`${PAGE}/turn-off`, { code }, { on: PAGE });
    expect((await turnOff('000000')).status).toBe(422);
    expect(outcome(await turnOff(codeIn(0, secret)))).toBe('303 /account?notice=two-factor-off');
    expect(await isSignedIn(await signIn(gala.baseUrl, email))).toBe(true);
    expect(secretIn(await browser.get(PAGE))).not.toBe(secret);
  });

  test('is what the operator does for someone who lost everything', async () => {
    await enrol();
    await gala.app.get(Accounts, { strict: false }).removeSecondFactor(email.toUpperCase());
    expect(await isSignedIn(await signIn(gala.baseUrl, email))).toBe(true);
  });
});
