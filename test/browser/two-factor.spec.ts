import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { Clock } from '../../src/kernel/clock';
import { givePassword, launchBrowser, openBrowser, PASSWORD, signIn, type Visitor } from '../support/browser';
import { FakeClock } from '../support/fake-clock';
import { startGala, type TestGala } from '../support/start-gala';
import { fileNeeds } from '../support/requirements';

fileNeeds('browser');

const clock = new FakeClock();
let gala: TestGala;
let browser: Browser;
let visitor: Visitor;
let page: Page;
beforeAll(async () => {
  const overrides = [{ provide: Clock, useValue: clock }];
  [gala, browser] = await Promise.all([startGala({ overrides }), launchBrowser()]);
  await gala.createWorkspace('Villa Aurora');
});
afterAll(async () => {
  await browser.close();
  await gala.stop();
});
let people = 0;
let email: string;
beforeEach(async () => {
  email = `person${++people}@example.com`;
  await givePassword(gala, email);
  visitor = await openBrowser(browser, gala);
  page = visitor.page;
  await signIn(page, email);
});
afterEach(() => expect(visitor.complaints).toEqual([]));

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const shown = (label: string) => page.getByRole('group', { name: label }).locator('code').innerText();

/** An authenticator app. Every code is of a later half minute, since none works twice. */
function appWith(key: string): () => string {
  const totp = new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) });
  return () => {
    clock.advance(30);
    return totp.generate({ timestamp: clock.now().getTime() });
  };
}

async function givePasswordAgain(): Promise<void> {
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
}

async function enrol(): Promise<{ nextCode: () => string; recoveryCodes: string[] }> {
  await page.goto('/account');
  await page.getByRole('link', { name: 'Set up' }).click();
  await givePasswordAgain();
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  const nextCode = appWith(await shown('Key'));
  await page.getByLabel('Code', { exact: true }).fill(nextCode());
  await page.getByRole('button', { name: 'Turn on' }).click();
  await heading('Your recovery codes').waitFor();
  return { nextCode, recoveryCodes: (await shown('Recovery codes')).split('\n') };
}

async function signInAgain(): Promise<void> {
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByText('You are signed out.').waitFor();
  await signIn(page, email);
  await heading('Enter your code').waitFor();
}

async function enter(code: string): Promise<void> {
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
}

const signedIn = () => page.getByRole('button', { name: 'Sign out', exact: true }).waitFor();

test('a wrong code doesn’t turn it on, and the key stays the same meanwhile', async () => {
  await page.goto('/account/two-factor');
  await givePasswordAgain();
  const key = await shown('Key');
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('alert').getByText('Code is incorrect').waitFor();
  expect(await shown('Key')).toBe(key);
});

test('recovery codes are shown once', async () => {
  const { recoveryCodes } = await enrol();
  expect(recoveryCodes).toHaveLength(10);
  await page.getByRole('link', { name: 'I have stored them' }).click();
  await page.getByText('On', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Manage' }).click();
  await page.getByText('You have 10 left.').waitFor();
  expect(await page.content()).not.toContain(recoveryCodes[0]);
});

test('signing in takes a code of the app, which works once', async () => {
  const { nextCode } = await enrol();
  await signInAgain();
  await page.goto('/account');
  expect(new URL(page.url()).pathname).toBe('/sign-in');
  await page.goto('/sign-in/code');
  const code = nextCode();
  await enter(code);
  await signedIn();

  await signInAgain();
  await enter(code);
  await page.getByRole('alert').getByText('Code is incorrect').waitFor();
  await enter(nextCode());
  await signedIn();
});

test('a recovery code signs in without the app, once', async () => {
  const { recoveryCodes } = await enrol();
  await signInAgain();
  await enter(recoveryCodes[3]!);
  await signedIn();
  await page.goto('/account/two-factor');
  await page.getByText('You have 9 left.').waitFor();

  await signInAgain();
  await enter(recoveryCodes[3]!);
  await page.getByRole('alert').getByText('Code is incorrect').waitFor();
  await enter(recoveryCodes[4]!.toUpperCase().replaceAll('-', ' '));
  await signedIn();
});

test('it is turned off with a code, and then the password is enough', async () => {
  const { nextCode } = await enrol();
  await page.goto('/account/two-factor');
  const removal = page.locator('form', { has: page.getByRole('button', { name: 'Turn off' }) });
  await removal.getByLabel('Password').fill(PASSWORD);
  await removal.getByLabel('Code').fill('000000');
  await removal.getByRole('button').click();
  await removal.getByRole('alert').getByText('Code is incorrect').waitFor();
  await removal.getByLabel('Password').fill(PASSWORD);
  await removal.getByLabel('Code').fill(nextCode());
  await removal.getByRole('button').click();
  await page.getByText('Two-factor sign-in is off.').waitFor();

  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await signIn(page, email);
  await signedIn();
});
