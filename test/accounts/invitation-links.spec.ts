import { Clock } from '../../src/kernel/clock';
import type { WorkspaceId } from '../../src/kernel/ids';
import { Mailer } from '../../src/kernel/mailer';
import { Accounts } from '../../src/modules/accounts';
import type { Role } from '../../src/kernel/role';
import { Members } from '../../src/modules/workspaces';
import { FakeClock } from '../support/fake-clock';
import { Mailbox } from '../support/mailbox';
import { outcome, PageClient } from '../support/page-client';
import {
  browserOf,
  isSignedIn,
  newEmail,
  PASSWORD,
  signIn,
  someone,
  turnOnSecondFactor,
  workspaceOf,
} from '../support/people';
import { startGala, type TestGala } from '../support/start-gala';

const WEEK = 7 * 24 * 3600;

const clock = new FakeClock();
const mailbox = new Mailbox();
let gala: TestGala;
let owner: string;
let workspace: WorkspaceId;
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
  owner = newEmail();
  workspace = await workspaceOf(gala, owner);
});

const anyone = () => new PageClient(gala.baseUrl);
const roleOf = async (email: string) => {
  const { members } = await gala.app.get(Members, { strict: false }).list(workspace);
  return members.find((member) => member.email === email)?.role;
};

/** By the page, as its owner, who sees another link; the path of the one that was mailed. */
async function invite(email: string, role: Role = 'member'): Promise<string> {
  const browser = await browserOf(gala, owner);
  const page = `/settings/${workspace}/members`;
  const answer = await browser.submit(`${page}/invitations`, { email, role }, { on: page });
  expect(answer.status).toBe(201);
  const link = mailbox.linkTo(email);
  expect(answer.text).toContain(`http://localhost:3000${shownPart(link)}`);
  expect(answer.text).not.toContain(link);
  return link;
}

/** The link that the inviter sees, of the one that was mailed. */
const shownPart = (link: string) => link.replace(/\..*/, '');

describe('the link of an invitation', () => {
  test('lets someone new choose a password, and signs them in as a member', async () => {
    const email = newEmail();
    const link = await invite(email, 'admin');
    const browser = anyone();
    const before = browser.copy(gala.baseUrl);
    expect((await browser.get(link)).text).toContain('Join Garden Events');
    const answer = await browser.submit(link, { password: PASSWORD }, { on: link });
    expect(outcome(answer)).toBe(`303 /settings/${workspace}`);
    expect((await browser.get(`/settings/${workspace}`)).status).toBe(200);
    expect(await isSignedIn(before)).toBe(false);
    expect(await roleOf(email)).toBe('admin');
    expect(await isSignedIn(await signIn(gala.baseUrl, email))).toBe(true);
    expect((await anyone().get(link)).status).toBe(404);
  });

  test.each(['', 'short', 'abababababababab', 'a password with \0 NUL'])(
    'isn’t used up by a password that won’t do: %j',
    async (password) => {
      const email = newEmail();
      const link = await invite(email);
      expect((await anyone().submit(link, { password })).status).toBe(422);
      expect(await roleOf(email)).toBeUndefined();
      expect((await anyone().submit(link, { password: PASSWORD })).status).toBe(303);
    },
  );

  test('used several times at once makes one member with one password', async () => {
    const email = newEmail();
    const link = await invite(email);
    const passwords = ['first four plain words', 'second four plain words', 'third four plain words'];
    const browsers = passwords.map(anyone);
    const answers = await Promise.all(
      browsers.map((browser, index) => browser.submit(link, { password: passwords[index]! })),
    );
    const joined = answers.map((answer) => outcome(answer) === `303 /settings/${workspace}`);
    expect(joined.filter(Boolean)).toHaveLength(1);
    for (const { status } of answers) expect([303, 404]).toContain(status);
    expect(await Promise.all(browsers.map(isSignedIn))).toEqual(joined);
    await signIn(gala.baseUrl, email, passwords[joined.indexOf(true)]);
  });

  test('sends someone with an account to sign in and back, and then takes one click', async () => {
    const { email } = await someone(gala);
    const link = await invite(email);
    const browser = anyone();
    const signInPage = `/sign-in?return=${encodeURIComponent(link)}`;
    expect(outcome(await browser.get(link))).toBe(`303 ${signInPage}`);
    expect(outcome(await browser.submit(link, { password: 'chosen by somebody else' }))).toBe(
      `303 ${signInPage}`,
    );
    const fields = { email, password: PASSWORD, return: link };
    expect(outcome(await browser.submit('/sign-in', fields))).toBe(`303 ${link}`);
    expect((await browser.get(link)).text).not.toContain('type="password"');
    expect(outcome(await browser.submit(link, {}, { on: link }))).toBe(`303 /settings/${workspace}`);
    expect(await roleOf(email)).toBe('member');
  });

  test('tells whoever is signed in as somebody else, and lets them join nothing', async () => {
    const link = await invite(newEmail());
    const { email } = await someone(gala);
    const browser = await browserOf(gala, email);
    const page = await browser.get(link);
    expect(page.status).toBe(403);
    expect(page.text).toContain('This invitation is for someone else');
    const answer = await browser.submit(link, { password: PASSWORD });
    expect(answer.status).toBe(403);
    expect(await roleOf(email)).toBeUndefined();
  });

  test('opens no account that has a workspace already, though nobody chose its password yet', async () => {
    const victim = newEmail();
    const theirs = await workspaceOf(gala, victim);
    const link = await invite(victim);
    const inviter = anyone();
    const answer = await inviter.submit(link, { password: PASSWORD });
    expect(outcome(answer)).toBe(`303 /sign-in?return=${encodeURIComponent(link)}`);
    expect(await isSignedIn(inviter)).toBe(false);
    await expect(signIn(gala.baseUrl, victim)).rejects.toThrow('don’t match');

    const token = await gala.app.get(Accounts, { strict: false }).openPasswordReset(victim);
    await anyone().submit(`/password-reset/${token}`, { password: PASSWORD });
    const browser = await signIn(gala.baseUrl, victim);
    expect((await browser.get(`/settings/${theirs}`)).status).toBe(200);
    expect((await browser.submit(link)).status).toBe(303);
  });

  test('ends after a week, when it is replaced, and when it is cancelled', async () => {
    const email = newEmail();
    const first = await invite(email);
    const second = await invite(email);
    expect([(await anyone().get(first)).status, (await anyone().get(second)).status]).toEqual([404, 200]);
    clock.advance(WEEK);
    expect((await anyone().get(second)).status).toBe(404);
    expect((await anyone().submit(second, { password: PASSWORD })).status).toBe(404);

    const third = await invite(email);
    const browser = await browserOf(gala, owner);
    const page = `/settings/${workspace}/members`;
    const [, cancel] = /action="([^"]+\/cancel)"/.exec((await browser.get(page)).text)!;
    expect(outcome(await browser.submit(cancel!, {}, { on: page }))).toBe(`303 ${page}?notice=cancelled`);
    expect((await anyone().submit(third, { password: PASSWORD })).status).toBe(404);
  });

  test.each(['nonsense', '%00', '%FF', 'A'.repeat(43)])(
    'that was never sent is a page: %s',
    async (token) => {
      const link = `/invitations/${token}`;
      for (const answer of [await anyone().get(link), await anyone().submit(link, { password: PASSWORD })]) {
        expect(answer.status).toBe(404);
        expect(answer.text).toContain('This invitation no longer works');
      }
    },
  );
});

describe('the link that the inviter sees', () => {
  const passwordOf = async (email: string) =>
    (await gala.app.get(Accounts, { strict: false }).find(email))?.hasPassword ?? false;

  test('opens no account: someone new confirms their address by a mailed link first', async () => {
    const email = newEmail();
    const shown = shownPart(await invite(email));
    const inviter = anyone();
    expect((await inviter.get(shown)).text).not.toContain('type="password"');
    const answer = await inviter.submit(shown, { password: PASSWORD }, { on: shown });
    expect([answer.status, answer.text.includes('Check your email')]).toEqual([200, true]);
    expect([await isSignedIn(inviter), await passwordOf(email), await roleOf(email)]).toEqual([
      false,
      false,
      undefined,
    ]);
    expect(mailbox.to(email)).toHaveLength(2);
    const browser = anyone();
    const link = mailbox.linkTo(email);
    expect(outcome(await browser.submit(link, { password: PASSWORD }, { on: link }))).toBe(
      `303 /settings/${workspace}`,
    );
    expect((await browser.get('/account')).text).not.toContain('not confirmed');
  });

  test.each(['.', '.A', `.${'A'.repeat(43)}`])(
    'is not taken for the mailed one with %s behind it',
    async (end) => {
      const email = newEmail();
      const shown = shownPart(await invite(email));
      await anyone().submit(`${shown}${end}`, { password: PASSWORD });
      expect(await passwordOf(email)).toBe(false);
    },
  );

  test('is not completed by the end of another invitation’s mailed link', async () => {
    const email = newEmail();
    const shown = shownPart(await invite(email));
    const [, end] = (await invite(newEmail())).split('.');
    await anyone().submit(`${shown}.${end}`, { password: PASSWORD });
    expect(await passwordOf(email)).toBe(false);
  });

  test('has five mails sent in an hour at most', async () => {
    const email = newEmail();
    const shown = shownPart(await invite(email));
    const answers = await Promise.all(Array.from({ length: 8 }, () => anyone().submit(shown)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(5).fill(200),
      429,
      429,
      429,
    ]);
    expect(mailbox.to(email)).toHaveLength(6);
  });

  test('still lets someone with an account join with one click', async () => {
    const { email } = await someone(gala);
    const shown = shownPart(await invite(email));
    const browser = await browserOf(gala, email);
    expect(outcome(await browser.submit(shown, {}, { on: shown }))).toBe(`303 /settings/${workspace}`);
  });
});

describe('on a service that sends no mail', () => {
  let quiet: TestGala;
  beforeAll(async () => {
    quiet = await startGala({
      databaseUrl: gala.databaseUrl,
      overrides: [
        { provide: Clock, useValue: clock },
        { provide: Mailer, useValue: new Mailbox(false) },
      ],
    });
  });
  afterAll(() => quiet.stop());

  /** An inviter who keeps the link, chooses the password in the owner's place, and sets up a second factor. */
  async function takeOver(email: string): Promise<{ browser: PageClient }> {
    const inviter = await browserOf(gala, owner, quiet.baseUrl);
    const page = `/settings/${workspace}/members`;
    const { text } = await inviter.submit(`${page}/invitations`, { email, role: 'member' }, { on: page });
    expect(text).toContain('can’t check whose email address it is');
    const link = /http:\/\/localhost:3000(\/invitations\/[\w.-]+)/.exec(text)![1]!;
    const browser = new PageClient(quiet.baseUrl);
    expect(outcome(await browser.submit(link, { password: TAKEN }, { on: link }))).toBe(
      `303 /settings/${workspace}`,
    );
    await turnOnSecondFactor(gala, email, clock.now(), TAKEN);
    // That has signed out every other browser.
    return { browser: await browserOf(gala, email, quiet.baseUrl) };
  }
  const TAKEN = 'chosen by somebody else';

  async function resetByMail(email: string, password: string) {
    await anyone().submit('/password-reset', { email });
    const link = mailbox.linkTo(email);
    const page = await anyone().get(link);
    expect(outcome(await anyone().submit(link, { password }))).toBe('303 /sign-in?notice=password-reset');
    return page.text;
  }

  test('an account says that nobody has confirmed its address', async () => {
    const email = newEmail();
    const { browser } = await takeOver(email);
    expect((await browser.get('/account')).text).toContain('can’t check that the address is yours');
    const elsewhere = await browserOf(gala, email);
    expect((await elsewhere.get('/account')).text).toContain('Reset your password by email');
  });

  test('the owner of an address that an inviter took gets the account by the first reset by mail', async () => {
    const email = newEmail();
    const { browser } = await takeOver(email);
    const page = await resetByMail(email, PASSWORD);
    expect(page).toContain('Two-factor sign-in will be turned off');
    expect(await isSignedIn(browser)).toBe(false);
    expect(await isSignedIn(await signIn(gala.baseUrl, email))).toBe(true);
    await expect(signIn(gala.baseUrl, email, TAKEN)).rejects.toThrow();

    // It is theirs now: from the next reset on their second factor stays.
    await turnOnSecondFactor(gala, email, clock.now());
    expect(await resetByMail(email, 'lantern mosaic ferry pickle')).not.toContain('turned off');
    expect(await isSignedIn(await signIn(gala.baseUrl, email, 'lantern mosaic ferry pickle'))).toBe(false);
  });

  test('the operator’s link proves no address, and leaves the second factor on', async () => {
    const email = newEmail();
    await takeOver(email);
    const accounts = gala.app.get(Accounts, { strict: false });
    const token = await accounts.openPasswordReset(email);
    await anyone().submit(`/password-reset/${token}`, { password: PASSWORD });
    expect(await accounts.find(email)).toMatchObject({ emailIsProven: false, hasSecondFactor: true });
  });

  test('several uses of one mailed link at once turn it off once, and leave one password', async () => {
    const email = newEmail();
    await takeOver(email);
    await anyone().submit('/password-reset', { email });
    const link = mailbox.linkTo(email);
    const answers = await Promise.all(
      [1, 2, 3].map((n) => anyone().submit(link, { password: `${PASSWORD} ${n}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404]);
    const accounts = gala.app.get(Accounts, { strict: false });
    expect(await accounts.find(email)).toMatchObject({ emailIsProven: true, hasSecondFactor: false });
  });
});
