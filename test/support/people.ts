import { TOTP } from 'otpauth';
import { newId, type WorkspaceId } from '../../src/kernel/ids';
import { Accounts, type User } from '../../src/modules/accounts';
import { SecondFactor } from '../../src/modules/accounts/application/second-factor';
import { CreateWorkspace } from '../../src/modules/workspaces';
import { signInBrowser } from '../../src/testing/test-workspace';
import { PageClient } from './page-client';
import type { TestGala } from './start-gala';

export const PASSWORD = 'plum gravel orbit tandem';

/** Someone new who may sign in with `PASSWORD`, and belongs to no workspace. */
export async function someone({ app }: TestGala, email = newEmail()): Promise<User> {
  const accounts = app.get(Accounts, { strict: false });
  await accounts.findOrAdd(email);
  await accounts.setPassword(email, PASSWORD);
  return (await accounts.find(email))!;
}

/** An address that nobody had before. */
export function newEmail(): string {
  return `${newId('mail')}@example.com`;
}

/** A workspace with an owner of its own, who has a password only when they were given one. */
export async function workspaceOf({ app }: TestGala, ownerEmail: string): Promise<WorkspaceId> {
  const input = { name: 'Garden Events', ownerEmail, timeZone: 'Europe/Madrid', currency: 'EUR' };
  return (await app.get(CreateWorkspace, { strict: false }).execute(input)).id;
}

/** A browser that is signed in, without the form: for tests of what comes after it. */
export async function browserOf(gala: TestGala, email: string, baseUrl = gala.baseUrl): Promise<PageClient> {
  const browser = new PageClient(baseUrl);
  await signInBrowser(browser, gala.app, email);
  return browser;
}

/** A browser that signs in with the form, as far as the password takes it. */
export async function signIn(
  baseUrl: string,
  email: string,
  password = PASSWORD,
  headers: Record<string, string> = {},
): Promise<PageClient> {
  const browser = new PageClient(baseUrl, headers);
  const { status, text } = await browser.submit('/sign-in', { email, password }, { on: '/sign-in' });
  if (status !== 303) throw new Error(`${email} can't sign in: ${status} ${text}`);
  return browser;
}

/** Turns two-factor sign-in on for someone with `PASSWORD` or another one; resolves to the secret of their app. */
export async function turnOnSecondFactor(
  { app }: TestGala,
  email: string,
  now: Date,
  password = PASSWORD,
): Promise<string> {
  const user = (await app.get(Accounts, { strict: false }).find(email))!;
  const secondFactor = app.get(SecondFactor, { strict: false });
  const { secret } = await secondFactor.enrol(user, password, { address: '127.0.0.1', userAgent: 'Test' });
  await secondFactor.confirm(user, { secret, code: codeAt(secret, now) }, 'another browser');
  return secret;
}

/** What an authenticator app shows at that time. */
export function codeAt(secret: string, time: Date): string {
  return new TOTP({ secret: secret.replace(/\s/g, '') }).generate({ timestamp: time.getTime() });
}

/** Whether a browser is signed in. */
export async function isSignedIn(browser: PageClient): Promise<boolean> {
  return (await browser.get('/account')).status === 200;
}
