import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { Accounts } from '../../src/modules/accounts';
import { foundBrowser } from './find-browser';
import type { TestGala } from './start-gala';

export const PASSWORD = 'four words that nobody guesses';
export const OWNER = 'owner@example.com';

/** No test leads a browser to somebody else's server. */
const OFFLINE = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1';

export function launchBrowser(): Promise<Browser> {
  // In containers Chromium runs as root, which its sandbox refuses, and with a small /dev/shm.
  return chromium.launch({
    ...foundBrowser(),
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--hide-scrollbars',
      '--font-render-hinting=none',
      OFFLINE,
    ],
  });
}

/** Somebody's browser: a page that shares nothing with others', and all that it complained of. */
export interface Visitor {
  page: Page;
  /** Errors of scripts, of the console, and of the content security policy, as text. */
  complaints: string[];
}

export async function openBrowser(
  browser: Browser,
  { baseUrl }: TestGala,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: baseUrl,
    locale: 'en-GB',
    viewport: { width: 1280, height: 900 },
    // Colours are what they are at once, not on their way to it.
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // That a page itself was answered with 404 or 422 is no defect of it.
    if (message.text().startsWith('Failed to load resource') && message.location().url === page.url()) return;
    complaints.push(`${page.url()}: ${message.text()}`);
  });
  return { page, complaints };
}

/** Gives someone a password, whether they had an account or not. */
export async function givePassword({ app }: TestGala, email = OWNER): Promise<void> {
  const accounts = app.get(Accounts, { strict: false });
  await accounts.findOrAdd(email);
  await accounts.setPassword(email, PASSWORD);
}

/** Through the form, from wherever the browser is; ends on the page that follows it. */
export async function signIn(page: Page, email = OWNER, password = PASSWORD): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/sign-in');
}

/** Presses a button; what the browser itself would complain of is sent all the same. */
export async function send(page: Page, button: string): Promise<void> {
  await page.evaluate(() => {
    for (const form of document.forms) form.noValidate = true;
  });
  await page.getByRole('button', { name: button, exact: true }).click();
}

/** The address at another site to which a button leads. Nobody answers there, which browsers show in two ways. */
export async function addressBehind(page: Page, button: string, site: string): Promise<URL> {
  const asked = page.waitForRequest((request) => request.url().startsWith(site));
  await send(page, button);
  const address = new URL((await asked).url());
  await page.waitForURL((url) => url.href === address.href || url.protocol === 'chrome-error:');
  return address;
}

/** Lets a list of choices send what isn’t one. */
export async function misguide(list: Locator): Promise<void> {
  await list.evaluate((select: HTMLSelectElement) => {
    select.options[0]!.value = 'unknown';
    select.value = 'unknown';
  });
}
