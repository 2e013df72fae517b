import { Clock } from '../../src/kernel/clock';
import { Mailer } from '../../src/kernel/mailer';
import { Accounts } from '../../src/modules/accounts';
import { FakeClock } from '../support/fake-clock';
import { Mailbox } from '../support/mailbox';
import { outcome, PageClient } from '../support/page-client';
import {
  browserOf,
  codeAt,
  isSignedIn,
  newEmail,
  PASSWORD,
  signIn,
  someone,
  turnOnSecondFactor,
} from '../support/people';
import { startGala, type TestGala } from '../support/start-gala';

const NEXT = 'lantern mosaic ferry pickle';
const HOUR = 3600;
const DONE = '303 /sign-in?notice=password-reset';

const clock = new FakeClock();
const mailbox = new Mailbox();
let gala: TestGala;
let email: string;
beforeAll(async () => {
  gala = await startGala({
    overrides: [
      { provide: Clock, useValue: clock },
      { provide: Mailer, useValue: mailbox },
    ],
  });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  ({ email } = await someone(gala));
});

const anyone = () => new PageClient(gala.baseUrl);
const request = (address: string, browser = anyone()) =>
  browser.submit('/password-reset', { email: address }, { on: '/password-reset' });
const linkTo = async (address = email) => {
  await request(address);
  return mailbox.linkTo(address);
};
const choose = (link: string, password = NEXT) => anyone().submit(link, { password });

describe('asking for a link', () => {
  test('says the same whether there is an account or not', async () => {
    const browser = anyone();
    const unknown = newEmail();
    const answers = await Promise.all([request(email, browser), request(unknown, browser)]);
    const [known, other] = answers.map(({ status, text }) => ({
      status,
      text: text.replaceAll(email, '').replaceAll(unknown, ''),
    }));
    expect(known!.status).toBe(200);
    expect(known).toEqual(other);
    expect([mailbox.to(email).length, mailbox.to(unknown).length]).toEqual([1, 0]);
  });

  test('is answered after the same time, which is longer than storing a link takes', async () => {
    for (const address of [email, newEmail()]) {
      const browser = anyone();
      const csrfToken = await browser.csrfToken('/password-reset');
      const since = performance.now();
      const { status } = await browser.post('/password-reset', { email: address, csrfToken });
      expect(status).toBe(200);
      expect(performance.now() - since).toBeGreaterThan(290);
    }
  });

  test('sends it to the address that the account has, in whatever case it is typed', async () => {
    await request(email.toUpperCase());
    expect(mailbox.to(email)).toHaveLength(1);
  });

  test('sends five in an hour at most, and says nothing of it', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => request(email)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(mailbox.to(email)).toHaveLength(5);
  });

  test.each([
    'ana',
    'ana@example.com, eve@evil.test',
    'ana@example.com\r\nBcc: eve@evil.test',
    '\0@example.com',
  ])('is refused for what is no address: %j', async (typed) => {
    const before = mailbox.mails.length;
    expect((await request(typed)).status).toBe(422);
    expect(mailbox.mails).toHaveLength(before);
  });
});

describe('a link', () => {
  test('sets the password, ends every session, works once and is told by mail', async () => {
    const browser = await browserOf(gala, email);
    const link = await linkTo();
    expect((await anyone().get(link)).text).toContain(email);
    expect(outcome(await choose(link))).toBe(DONE);
    expect(await isSignedIn(browser)).toBe(false);
    await expect(signIn(gala.baseUrl, email, PASSWORD)).rejects.toThrow('don’t match');
    expect(await isSignedIn(await signIn(gala.baseUrl, email, NEXT))).toBe(true);
    expect(mailbox.to(email).at(-1)!.subject).toBe('Your Gala password was changed');

    expect((await choose(link, 'yet another four words')).status).toBe(404);
    expect((await anyone().get(link)).status).toBe(404);
    await signIn(gala.baseUrl, email, NEXT);
  });

  test('used several times at once sets one password', async () => {
    const link = await linkTo();
    const passwords = ['first four plain words', 'second four plain words', 'third four plain words'];
    const answers = await Promise.all(passwords.map((password) => choose(link, password)));
    expect(answers.map(outcome).sort()).toEqual([DONE, '404', '404']);
    const winner = passwords[answers.findIndex((answer) => outcome(answer) === DONE)]!;
    await signIn(gala.baseUrl, email, winner);
  });

  test('works for an hour', async () => {
    const link = await linkTo();
    clock.advance(HOUR - 1);
    expect((await anyone().get(link)).status).toBe(200);
    clock.advance(1);
    expect((await anyone().get(link)).status).toBe(404);
    expect((await choose(link)).status).toBe(404);
  });

  test('works no more once another was sent, or the password was changed', async () => {
    const first = await linkTo();
    const second = await linkTo();
    expect([(await choose(first)).status, (await anyone().get(second)).status]).toEqual([404, 200]);
    const browser = await browserOf(gala, email);
    await browser.submit('/account/password', { current: PASSWORD, next: NEXT });
    expect((await choose(second)).status).toBe(404);
  });

  test('isn’t used up by a password that won’t do', async () => {
    const link = await linkTo();
    for (const password of ['', 'short', 'aaaaaaaaaaaaaaaa', `x ${email}`, 'four words and \0 NUL'])
      expect((await choose(link, password)).status).toBe(422);
    expect(outcome(await choose(link))).toBe(DONE);
  });

  test.each(['nonsense', '%00', '%FF', '..%2F..', 'A'.repeat(43), '%C3%A9'])(
    'that was never sent is a page that says so: %s',
    async (token) => {
      for (const answer of [
        await anyone().get(`/password-reset/${token}`),
        await choose(`/password-reset/${token}`),
      ]) {
        expect(answer.status).toBe(404);
        expect(answer.text).toContain('This link no longer works');
      }
    },
  );

  test('leaves the second factor on of someone who had a link by mail before', async () => {
    expect(outcome(await choose(await linkTo()))).toBe(DONE);
    const secret = await turnOnSecondFactor(gala, email, clock.now(), NEXT);
    expect(outcome(await choose(await linkTo()))).toBe(DONE);
    const browser = await signIn(gala.baseUrl, email, NEXT);
    expect(await isSignedIn(browser)).toBe(false);
    clock.advance(60);
    await browser.submit('/sign-in/code', { code: codeAt(secret, clock.now()) }, { on: '/sign-in/code' });
    expect(await isSignedIn(browser)).toBe(true);
  });
});

describe('a service that sends no mail', () => {
  const silent = new Mailbox(false);
  let quiet: TestGala;
  beforeAll(async () => {
    quiet = await startGala({
      databaseUrl: gala.databaseUrl,
      overrides: [
        { provide: Clock, useValue: clock },
        { provide: Mailer, useValue: silent },
      ],
    });
  });
  afterAll(() => quiet.stop());

  test('says so, and leaves the operator’s link alone, which works for a week', async () => {
    const token = await quiet.app.get(Accounts, { strict: false }).openPasswordReset(email);
    const browser = new PageClient(quiet.baseUrl);
    const answer = await browser.submit('/password-reset', { email }, { on: '/sign-in' });
    expect(answer.text).toContain('This server sends no email');
    expect(silent.mails).toEqual([]);
    clock.advance(7 * 24 * HOUR - 1);
    expect(outcome(await choose(`/password-reset/${token}`))).toBe(DONE);
  });
});
