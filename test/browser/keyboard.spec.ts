import type { Browser, Page } from 'playwright-core';
import {
  givePassword,
  launchBrowser,
  openBrowser,
  OWNER,
  PASSWORD,
  signIn,
  type Visitor,
} from '../support/browser';
import { startGala, type TestGala } from '../support/start-gala';
import { fileNeeds } from '../support/requirements';

fileNeeds('browser');

const MOST_STEPS = 40;

let gala: TestGala;
let browser: Browser;
let visitor: Visitor;
let page: Page;
let settings: string;
beforeAll(async () => {
  [gala, browser] = await Promise.all([startGala(), launchBrowser()]);
  settings = `/settings/${(await gala.createWorkspace('Villa Aurora')).id}`;
  await givePassword(gala);
  visitor = await openBrowser(browser, gala);
  page = visitor.page;
  await signIn(page);
});
afterAll(async () => {
  await browser.close();
  await gala.stop();
});
afterEach(() => expect(visitor.complaints).toEqual([]));

const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

/** What has the focus, and whether those who look can tell. */
function focus(): Promise<{ name: string; isVisible: boolean }> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const { left, top, width, height } = element.getBoundingClientRect();
    const onTop = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 20));
    return {
      name: (element.labels?.[0] ?? element).textContent.trim(),
      isVisible: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && element.contains(onTop),
    };
  });
}

async function step(key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<string> {
  await page.keyboard.press(key);
  const { name, isVisible } = await focus();
  // Past the last element the browser's own controls have their turn.
  const isPage = await page.evaluate(() => document.activeElement !== document.body);
  if (isPage && !isVisible) throw new Error(`One can’t see that “${name}” has the focus.`);
  return name;
}

async function tabTo(wanted: string): Promise<void> {
  const passed: string[] = [];
  while (passed.length < MOST_STEPS) {
    const name = await step();
    if (name.startsWith(wanted)) return;
    passed.push(name);
  }
  throw new Error(`Tab doesn’t lead to “${wanted}”, but to ${passed.join(', ')}.`);
}

async function press(wanted: string, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(wanted);
  await page.keyboard.press(key);
}

test('from signing in to revoking a key, no mouse is needed', async () => {
  await page.context().clearCookies();
  await page.goto('/sign-in');
  expect(await focus()).toEqual({ name: 'Email', isVisible: true });
  await page.keyboard.type(OWNER);
  await tabTo('Password');
  await page.keyboard.type(PASSWORD);
  await press('Sign in');
  await heading('Villa Aurora');

  await press('API keys');
  await heading('API keys');
  await press('Live');
  await heading('API keys');
  await press('Create a live key');
  await heading('Create a live key');
  expect(await focus()).toEqual({ name: 'Name', isVisible: true });
  await page.keyboard.type('Website form');
  await press('See your leads: names, emails, phones, event details', 'Space');
  await press('Create the key');

  await heading('Copy the key now');
  await press('Copy', 'Space');
  await page.getByRole('status').getByText('Copied.').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^gala_live_/);
  await press('I have stored it');

  await heading('API keys');
  await press('Website form');
  await heading('Website form');
  await press('Revoke the key');
  await heading('Revoke Website form?');
  await press('Revoke', 'Space');
  await page.getByRole('status').getByText('The key was revoked').waitFor();
});

test('the first stop leads past the navigation', async () => {
  await page.goto(settings);
  expect(await step()).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  expect(await step()).toBe('Use an API key');
});

test('a form that comes back begins with what is wrong, and leads there', async () => {
  await page.goto(`${settings}/live/api-keys/new`);
  await heading('Create a live key');
  await page.keyboard.type(' ');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  const { name, isVisible } = await focus();
  expect(name).toContain('There’s a problem with this form');
  expect(isVisible).toBe(true);
  expect(await step()).toContain('Name ');
  await page.keyboard.press('Enter');
  expect(await focus()).toEqual({ name: 'Name', isVisible: true });
});

test('nothing on the way back up hides behind the band of test mode', async () => {
  await page.goto(`${settings}/test/api-keys/new`);
  await tabTo('Back to API keys');
  for (let name = ''; name !== 'Skip to the content';) name = await step('Shift+Tab');
});
