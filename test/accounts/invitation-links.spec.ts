import { Clock } from '../../src/kernel/clock';
import type { WorkspaceId } from '../../src/kernel/ids';
import { Mailer } from '../../src/kernel/mailer';
import { Accounts } from '../../src/modules/accounts';
import { Members, type Role } from '../../src/modules/workspaces';
import { FakeClock } from '../support/fake-clock';
import { Mailbox } from '../support/mailbox';
import { outcome, PageClient } from '../support/page-client';
import { browserOf, isSignedIn, newEmail, PASSWORD, signIn, someone, workspaceOf } from '../support/people';
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

/** By the page, as its owner; the path of the link that was mailed. */
async function invite(email: string, role: Role = 'member'): Promise<string> {
  const browser = await browserOf(gala, owner);
  const page = `/settings/${workspace}/members`;
  const answer = await browser.submit(`${page}/invitations`, { email, role }, { on: page });
  expect(answer.status).toBe(201);
  const link = mailbox.linkTo(email);
  expect(answer.text).toContain(`http://localhost:3000${link}`);
  return link;
}

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
    await expect(signIn(gala.baseUrl, victim)).rejects.toThrow('not right');

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
