import { Accounts } from '../../src/modules/accounts';
import { PasswordHasher } from '../../src/modules/accounts/application/ports';
import { type Fields, outcome, PageClient, withoutSubmissions } from '../support/page-client';
import { CountingPasswordHasher } from '../support/password-hashers';
import {
  isSignedIn,
  newEmail,
  PASSWORD,
  signIn,
  someone,
  turnOnSecondFactor,
  workspaceOf,
} from '../support/people';
import { startGala, type TestGala } from '../support/start-gala';

const hasher = new CountingPasswordHasher();
let gala: TestGala;
let email: string;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: PasswordHasher, useValue: hasher }] });
});
afterAll(() => gala.stop());
beforeEach(async () => {
  ({ email } = await someone(gala));
});

const anyone = () => new PageClient(gala.baseUrl);

/** Stops comparisons until they are let go on, at a moment when the password was found to be right. */
function pauseAfterComparing(): { reached: Promise<void>; resume: () => void } {
  let resume!: () => void;
  const paused = new Promise<void>((resolve) => (resume = resolve));
  const compare = (password: string, hash: string | null) =>
    new CountingPasswordHasher().matches(password, hash);
  const reached = new Promise<void>((resolve) => {
    jest.spyOn(hasher, 'matches').mockImplementationOnce(async (password, hash) => {
      const matches = await compare(password, hash);
      resolve();
      await paused;
      return matches;
    });
  });
  return { reached, resume };
}

describe('someone who can’t sign in', () => {
  test('is told the same, after as much work, whether the account is unknown, has no password or another', async () => {
    const withoutPassword = newEmail();
    await gala.app.get(Accounts, { strict: false }).findOrAdd(withoutPassword);
    const browser = anyone();
    const answers = [];
    for (const address of [newEmail(), withoutPassword, email]) {
      const before = hasher.comparisons;
      const fields = { email: address, password: `${PASSWORD}!` };
      const { status, text, headers } = await browser.submit('/sign-in', fields);
      const { date, 'x-request-id': id, ...rest } = headers;
      answers.push({
        comparisons: hasher.comparisons - before,
        status,
        text: withoutSubmissions(text).replaceAll(address, 'typed@example.com'),
        headers: { ...rest, date: typeof date, id: typeof id },
      });
    }
    expect(answers[0]).toMatchObject({ comparisons: 1, status: 422 });
    expect(answers[0]!.text).toContain('That email and password don’t match');
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  test.each([
    ['an e-mail address', { password: PASSWORD }],
    ['a password', { email: 'ana@example.com' }],
    ['a real e-mail address', { email: 'ana', password: PASSWORD }],
  ])('is told to give %s, without a comparison', async (_, fields) => {
    const before = hasher.comparisons;
    expect((await anyone().submit('/sign-in', fields as Fields)).status).toBe(422);
    expect(hasher.comparisons).toBe(before);
  });

  test('never gets the typed password back in the page', async () => {
    const { text } = await anyone().submit('/sign-in', { email, password: 'typed and wrong' });
    expect(text).toContain(email);
    expect(text).not.toContain('typed and wrong');
  });
});

describe('signing in', () => {
  test('works in whatever case the address is written, and however letters are composed', async () => {
    const accounts = gala.app.get(Accounts, { strict: false });
    await accounts.setPassword(email, 'une clé très composée'.normalize('NFD'));
    const browser = await signIn(gala.baseUrl, email.toUpperCase(), 'une clé très composée'.normalize('NFC'));
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('gives the browser another secret: whoever planted the old one gains nothing', async () => {
    const browser = anyone();
    const planted = 'A'.repeat(43);
    browser.cookies.set('gala', planted);
    const attacker = browser.copy(gala.baseUrl);
    expect(outcome(await browser.submit('/sign-in', { email, password: PASSWORD }))).toBe('303 /settings');
    expect(browser.cookies.get('gala')).not.toBe(planted);
    expect(await isSignedIn(browser)).toBe(true);
    expect(await isSignedIn(attacker)).toBe(false);
  });

  test('as somebody else ends the session before it', async () => {
    const browser = await signIn(gala.baseUrl, email);
    const before = browser.copy(gala.baseUrl);
    const other = await someone(gala);
    await browser.submit('/sign-in', { email: other.email, password: PASSWORD });
    expect((await browser.get('/account')).text).toContain(other.email);
    expect(await isSignedIn(before)).toBe(false);
  });

  test('with a password that is replaced meanwhile comes too late', async () => {
    const { reached, resume } = pauseAfterComparing();
    const browser = anyone();
    const answer = browser.submit('/sign-in', { email, password: PASSWORD });
    await reached;
    await gala.app.get(Accounts, { strict: false }).setPassword(email, 'another four word phrase');
    resume();
    expect((await answer).status).toBe(422);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('takes no change of the password that was begun with one that is replaced meanwhile', async () => {
    const browser = await signIn(gala.baseUrl, email);
    const { reached, resume } = pauseAfterComparing();
    const fields = { current: PASSWORD, next: 'chosen by the intruder' };
    const answer = browser.submit('/account/password', fields, { on: '/account' });
    await reached;
    await gala.app.get(Accounts, { strict: false }).setPassword(email, 'another four word phrase');
    resume();
    expect((await answer).status).toBe(422);
    await signIn(gala.baseUrl, email, 'another four word phrase');
  });

  test('leads to the only workspace, or to a choice', async () => {
    const first = await workspaceOf(gala, email);
    const browser = await signIn(gala.baseUrl, email);
    expect(outcome(await browser.get('/settings'))).toBe(`303 /settings/${first}`);
    const second = await workspaceOf(gala, email);
    const { status, text } = await browser.get('/settings');
    expect(status).toBe(200);
    for (const id of [first, second]) expect(text).toContain(`href="/settings/${id}"`);
  });

  test.each([
    ['/account', '/account'],
    ['/settings/ws_x/members?notice=removed', '/settings/ws_x/members?notice=removed'],
    ['https://evil.test/settings', '/settings'],
    ['//evil.test/settings', '/settings'],
    ['/\\evil.test', '/settings'],
    ['/settings/../..//evil.test', '/settings'],
    ['/settings/%2e%2e//evil.test', '/settings'],
    ['/v1/leads', '/settings'],
  ])('and coming from %s leads to %s', async (from, to) => {
    const page = `/sign-in?return=${encodeURIComponent(from)}`;
    const browser = anyone();
    const { text } = await browser.get(page);
    const shown = /name="return" value="([^"]*)"/.exec(text)![1]!.replaceAll('&amp;', '&');
    const fields = { email, password: PASSWORD, return: shown };
    expect(outcome(await browser.submit('/sign-in', fields, { on: page }))).toBe(`303 ${to}`);
    expect(outcome(await browser.get(page))).toBe(`303 ${to}`);
  });
});

describe('a second click, on a page whose form is stale by then,', () => {
  const fromOurs = { headers: { Origin: 'http://localhost:3000' } };
  const elsewhere = { headers: { Origin: 'https://evil.test' } };

  test.each([
    ['', '/settings'],
    ['/account', '/account'],
    ['//evil.test', '/settings'],
  ])('on “Sign in” (to %j) leads to %s', async (wanted, next) => {
    const browser = anyone();
    const fields = { csrfToken: await browser.csrfToken(), email, password: PASSWORD, return: wanted };
    await browser.post('/sign-in', fields, fromOurs);
    const secret = browser.cookies.get('gala');
    expect(outcome(await browser.post('/sign-in', fields, fromOurs))).toBe(`303 ${next}`);
    expect(browser.cookies.get('gala')).toBe(secret);
    for (const options of [elsewhere, {}])
      expect((await browser.post('/sign-in', fields, options)).status).toBe(403);
  });

  test('on “Sign in” leads to the code that is still to be entered', async () => {
    await turnOnSecondFactor(gala, email, new Date());
    const browser = anyone();
    const fields = { csrfToken: await browser.csrfToken(), email, password: PASSWORD };
    const [first, second] = [
      await browser.post('/sign-in', fields, fromOurs),
      await browser.post('/sign-in', fields, fromOurs),
    ];
    expect(outcome(first)).toBe('303 /sign-in/code?return=%2Fsettings');
    expect(outcome(second)).toBe(outcome(first));
  });

  test('on “Sign in” is refused to a browser that isn’t signed in', async () => {
    const fields = { csrfToken: 'stale', email, password: PASSWORD };
    const browser = anyone();
    await browser.get('/sign-in');
    expect((await browser.post('/sign-in', fields, fromOurs)).status).toBe(403);
  });

  test('on “Sign out” leads to the page that says so; one that is signed in stays so', async () => {
    const browser = await signIn(gala.baseUrl, email);
    const csrfToken = await browser.csrfToken();
    expect((await browser.post('/sign-out', { csrfToken: 'stale' }, fromOurs)).status).toBe(403);
    expect(await isSignedIn(browser)).toBe(true);
    for (const _ of [1, 2]) {
      const answer = await browser.post('/sign-out', { csrfToken }, fromOurs);
      expect(outcome(answer)).toBe('303 /sign-in?notice=signed-out');
    }
    expect((await browser.post('/sign-out', { csrfToken }, elsewhere)).status).toBe(403);
  });
});
