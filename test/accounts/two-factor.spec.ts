import { Clock } from '../../src/kernel/clock';
import { Mailer } from '../../src/kernel/mailer';
import { Accounts, SignIn } from '../../src/modules/accounts';
import { SecondFactor } from '../../src/modules/accounts/application/second-factor';
import { FakeClock } from '../support/fake-clock';
import { Mailbox } from '../support/mailbox';
import type { Answer } from '../support/http-client';
import { outcome, type PageClient } from '../support/page-client';
import { browserOf, codeAt, isSignedIn, PASSWORD, signIn, someone } from '../support/people';
import { startGala, type TestGala } from '../support/start-gala';

const STEP = 30;
const PAGE = '/account/two-factor';
const VISITOR = { address: '127.0.0.1', userAgent: 'Test' };

const clock = new FakeClock();
const mailbox = new Mailbox();
let gala: TestGala;
let email: string;
beforeAll(async () => {
  const overrides = [
    { provide: Clock, useValue: clock },
    { provide: Mailer, useValue: mailbox },
  ];
  gala = await startGala({ overrides });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  ({ email } = await someone(gala));
  // A code is good once: each test begins with a new one.
  clock.advance(5 * STEP);
});

const secretIn = ({ text }: Answer, name = 'secret') =>
  new RegExp(`<code id="field-${name}"[^>]*>([^<]+)<`).exec(text)![1]!;
const plain = (secret: string) => secret.replaceAll(' ', '');
const setUp = (browser: PageClient, password = PASSWORD) =>
  browser.submit(`${PAGE}/set-up`, { password }, { on: PAGE });
const confirm = (browser: PageClient, secret: string, code: string) =>
  browser.submit(PAGE, { secret: plain(secret), code }, { on: PAGE });
const codeIn = (seconds: number, secret: string) => codeAt(secret, new Date(clock.in(seconds)));
const sendCode = (browser: PageClient, code: string) =>
  browser.submit('/sign-in/code', { code }, { on: '/sign-in/code' });
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();

/** Turns it on in the way that people do. */
async function enrol() {
  const browser = await browserOf(gala, email);
  const secret = secretIn(await setUp(browser));
  const answer = await confirm(browser, secret, codeIn(0, secret));
  expect(answer.status).toBe(200);
  clock.advance(2 * STEP);
  return { browser, secret, codes: secretIn(answer, 'codes').split('\n') };
}

describe('setting it up', () => {
  test('shows one secret until a code confirms it, then ten recovery codes, once', async () => {
    const browser = await browserOf(gala, email);
    const secret = secretIn(await setUp(browser));
    expect(secretIn(await setUp(browser))).toBe(secret);
    const wrong = await confirm(browser, secret, '000000');
    expect([wrong.status, secretIn(wrong)]).toEqual([422, secret]);
    expect(await isSignedIn(await signIn(gala.baseUrl, email))).toBe(true);

    const confirmed = await confirm(browser, secret, codeIn(0, secret));
    const codes = secretIn(confirmed, 'codes').split('\n');
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^(?:[a-km-np-z2-9]{4}-){3}[a-km-np-z2-9]{4}$/);
    const managed = (await browser.get(PAGE)).text;
    expect(managed).toContain('You have 10 left');
    for (const shown of [secret, ...codes]) expect(managed).not.toContain(shown);
  });

  test('twice at once gives one set of codes', async () => {
    const browser = await browserOf(gala, email);
    const secret = secretIn(await setUp(browser));
    const csrfToken = await browser.csrfToken('/account');
    const fields = { csrfToken, secret: plain(secret), code: codeIn(0, secret) };
    const answers = await Promise.all([1, 2, 3].map(() => browser.post(PAGE, fields)));
    expect(answers.filter(({ text }) => text.includes('Your recovery codes'))).toHaveLength(1);
  });

  test('shows the secret no more to a request that began before it was confirmed', async () => {
    const secondFactor = gala.app.get(SecondFactor, { strict: false });
    const before = (await gala.app.get(Accounts, { strict: false }).find(email))!;
    const { secret } = await secondFactor.enrol(before, PASSWORD, VISITOR);
    await secondFactor.confirm(before, { secret, code: codeIn(0, secret) }, 'browser');
    await expect(secondFactor.enrol(before, PASSWORD, VISITOR)).rejects.toThrow('already on');
  });

  test('leaves the code that confirmed it used up', async () => {
    const browser = await browserOf(gala, email);
    const secret = secretIn(await setUp(browser));
    const code = codeIn(0, secret);
    await confirm(browser, secret, code);
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
    const renew = (code: string) => browser.submit(path, { password: PASSWORD, code }, { on: PAGE });
    expect((await renew('000000')).status).toBe(422);
    const answer = await renew(codeIn(0, secret));
    const renewed = secretIn(answer, 'codes').split('\n');
    expect((await sendCode(await signIn(gala.baseUrl, email), codes[0]!)).status).toBe(422);
    expect((await sendCode(await signIn(gala.baseUrl, email), renewed[0]!)).status).toBe(303);
  });
});

describe('turning it off', () => {
  test('takes a code, and then the password alone signs in', async () => {
    const { browser, secret } = await enrol();
    const turnOff = (code: string) =>
      browser.submit(`${PAGE}/turn-off`, { password: PASSWORD, code }, { on: PAGE });
    expect((await turnOff('000000')).status).toBe(422);
    expect(outcome(await turnOff(codeIn(0, secret)))).toBe('303 /account?notice=two-factor-off');
    expect(await isSignedIn(await signIn(gala.baseUrl, email))).toBe(true);
    expect(secretIn(await setUp(browser))).not.toBe(secret);
  });

  test('is what the operator does for someone who lost everything', async () => {
    await enrol();
    await gala.app.get(Accounts, { strict: false }).removeSecondFactor(email.toUpperCase());
    expect(await isSignedIn(await signIn(gala.baseUrl, email))).toBe(true);
  });
});

describe('a stolen session', () => {
  /** Of the same person, in another browser. */
  const others = async () => [await browserOf(gala, email), await signIn(gala.baseUrl, email)];
  const areSignedIn = (browsers: PageClient[]) => Promise.all(browsers.map(isSignedIn));

  test('sets up no second factor without the password, and is shown no secret', async () => {
    const owner = await browserOf(gala, email);
    const thief = await browserOf(gala, email);
    const secret = secretIn(await setUp(owner));
    const wrong = await setUp(thief, 'not the password');
    const pages = [await thief.get(PAGE), wrong, await confirm(thief, 'A'.repeat(32), codeIn(0, secret))];
    expect(pages.map(outcome)).toEqual(['200', '422', `303 ${PAGE}`]);
    expect(outcome(await thief.submit(PAGE, { code: codeIn(0, secret) }, { on: PAGE }))).toBe(`303 ${PAGE}`);
    for (const { text } of pages)
      for (const shown of [secret, plain(secret)]) expect(text).not.toContain(shown);
    expect((await gala.app.get(Accounts, { strict: false }).find(email))!.hasSecondFactor).toBe(false);
  });

  test('finds ten wrong passwords enough', async () => {
    const thief = await browserOf(gala, email);
    const csrfToken = await thief.csrfToken(PAGE);
    const guess = (password: string) => thief.post(`${PAGE}/set-up`, { csrfToken, password });
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => guess(`wrong ${index}`)));
    expect(statuses(answers)).toEqual([...Array<number>(10).fill(422), 429, 429]);
    expect((await guess(PASSWORD)).status).toBe(429);
  });

  test.each(['turn-off', 'recovery-codes'])('changes nothing by %s with a code alone', async (action) => {
    const { browser, secret } = await enrol();
    const submit = (fields: Record<string, string>) =>
      browser.submit(`${PAGE}/${action}`, fields, { on: PAGE });
    expect((await submit({ code: codeIn(0, secret) })).status).toBe(422);
    expect((await submit({ code: codeIn(0, secret), password: 'not the password' })).status).toBe(422);
    expect((await submit({ password: PASSWORD })).status).toBe(422);
    expect((await browser.get(PAGE)).text).toContain('You have 10 left');
    // The code wasn't used up by tries without the password.
    expect((await submit({ code: codeIn(0, secret), password: PASSWORD })).status).not.toBe(422);
  });

  test('ends when its owner turns two-factor sign-in on, makes new codes, or turns it off', async () => {
    const before = await others();
    const { browser, secret, codes } = await enrol();
    expect(await areSignedIn([...before, browser])).toEqual([false, false, true]);
    expect(mailbox.to(email).at(-1)!.subject).toBe('Two-factor sign-in for Gala was turned on');

    const stolen = await browserOf(gala, email);
    const pending = await signIn(gala.baseUrl, email);
    const submit = (action: string, code: string) =>
      browser.submit(`${PAGE}/${action}`, { password: PASSWORD, code }, { on: PAGE });
    const renewed = secretIn(await submit('recovery-codes', codeIn(0, secret)), 'codes').split('\n');
    expect(await areSignedIn([stolen, browser])).toEqual([false, true]);
    expect(outcome(await pending.get('/sign-in/code'))).toBe('303 /sign-in');
    expect(mailbox.to(email).at(-1)!.subject).toBe('New recovery codes for Gala were created');
    expect(renewed).not.toContain(codes[0]);

    const again = await browserOf(gala, email);
    expect((await submit('turn-off', renewed[0]!)).status).toBe(303);
    expect(await areSignedIn([again, browser])).toEqual([false, true]);
    expect(mailbox.to(email).at(-1)!.subject).toBe('Two-factor sign-in for Gala was turned off');
  });

  test('ends when the operator turns it off', async () => {
    const { browser } = await enrol();
    await gala.app.get(Accounts, { strict: false }).removeSecondFactor(email);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('is not begun by a password that was checked before two-factor sign-in was turned on', async () => {
    const before = (await gala.app.get(Accounts, { strict: false }).find(email))!;
    await enrol();
    const late = gala.app.get(SignIn, { strict: false }).start(before, VISITOR, false);
    await expect(late).rejects.toThrow();
  });

  test('prepares nothing with a password that is replaced meanwhile', async () => {
    const before = (await gala.app.get(Accounts, { strict: false }).find(email))!;
    const accounts = gala.app.get(Accounts, { strict: false });
    await accounts.setPassword(email, 'lantern mosaic ferry pickle');
    const secondFactor = gala.app.get(SecondFactor, { strict: false });
    await expect(secondFactor.enrol(before, PASSWORD, VISITOR)).rejects.toThrow('is incorrect');
  });
});
