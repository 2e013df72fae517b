import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { ManageApps } from '../../src/modules/oauth';
import { addressBehind, givePassword, launchBrowser, openBrowser, signIn } from '../support/browser';
import { newEmail, workspaceOf } from '../support/people';
import type { TestGala } from '../support/start-gala';
import { PassportApp } from './passport-app';
import { startAtItsAddress } from './support';
import { fileNeeds } from '../support/requirements';

fileNeeds('browser');

let gala: TestGala;
let browser: Browser;
let planner: PassportApp;
let email: string;
let workspaceId: string;
beforeAll(async () => {
  [gala, browser, planner] = await Promise.all([startAtItsAddress(), launchBrowser(), PassportApp.start()]);
  const { app, secret } = await gala.app.get(ManageApps, { strict: false }).register(
    {
      name: 'Seating Planner',
      redirectUris: [planner.redirectUri],
      scopes: ['leads:read', 'leads:write'],
    },
    { isPublic: false },
  );
  planner.connectTo(gala.baseUrl, { id: app.id, secret: secret! });
});
afterAll(async () => {
  await browser.close();
  await planner.stop();
  await gala.stop();
});
beforeEach(async () => {
  email = newEmail();
  await workspaceOf(gala, email);
  workspaceId = await workspaceOf(gala, email);
  await givePassword(gala, email);
});

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

async function signInThere(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('four words that nobody guesses');
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe.each([
  ['with scripts', true],
  ['without scripts', false],
])('from the app through sign-in and consent and back, %s', (_, javaScriptEnabled) => {
  test('the app is let into the workspace and the mode that were chosen', async () => {
    const { page, complaints } = await openBrowser(browser, gala, { javaScriptEnabled });
    await page.goto(`${planner.baseUrl}/connect`);
    await signInThere(page);
    await heading(page, 'Allow Seating Planner to access your workspace?');
    await page.getByLabel('Workspace').selectOption({ value: workspaceId });
    await page.getByLabel('Data').selectOption('test');
    await page.getByRole('button', { name: 'Allow' }).click();
    await heading(page, 'Connected');
    expect(page.url()).toContain(`${planner.redirectUri}?code=`);
    expect(JSON.parse(await page.locator('pre').innerText())).toMatchObject({
      workspace: { id: workspaceId },
      mode: 'test',
      credential: { type: 'oauth', name: 'Seating Planner', scopes: ['leads:read', 'leads:write'] },
    });
    expect(complaints).toEqual([]);

    await page.goto(`${gala.baseUrl}/settings/${workspaceId}/test/apps`);
    await page.getByRole('link', { name: /Remove/ }).click();
    await heading(page, 'Remove Seating Planner?');
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The app was removed').waitFor();
    await page.context().close();
  });

  test('the app is told when it is not let in', async () => {
    const { page, complaints } = await openBrowser(browser, gala, { javaScriptEnabled });
    await page.goto(`${planner.baseUrl}/connect`);
    await signInThere(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await heading(page, 'Then not');
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

test('a state of any letters comes through a real form', async () => {
  const { page } = await openBrowser(browser, gala);
  await signIn(page, email);
  const states: (string | null)[] = [];
  const { app } = await gala.app
    .get(ManageApps, { strict: false })
    .register(
      { name: 'Far App', redirectUris: ['https://app.example.com/cb'], scopes: ['leads:read'] },
      { isPublic: false },
    );
  const sent = ['', ' +%2B&=#', '"\'<>', 'é 漢字 😀 \u2028'];
  for (const state of sent) {
    const query = new URLSearchParams({
      client_id: app.id,
      redirect_uri: 'https://app.example.com/cb',
      state,
    });
    await page.goto(`/oauth/authorize?${query.toString()}`);
    const address = await addressBehind(page, 'Allow', 'https://app.example.com/cb');
    states.push(address.searchParams.get('state'));
  }
  expect(states).toEqual(sent);
  await page.context().close();
});

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds wrong with the page as it is shown, one line for each rule. */
async function violations(page: Page): Promise<string[]> {
  // Into the page by the debugger: the content security policy keeps everything else out.
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe: runner } = window as unknown as { axe: { run(): Promise<{ violations: any[] }> } };
    return (await runner.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
  });
}

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  test.each([360, 1280])('at a width of %i nothing keeps anyone from using the pages', async (width) => {
    const { page } = await openBrowser(browser, gala, { colorScheme, viewport: { width, height: 800 } });
    await signIn(page, email);
    await page.goto(`${planner.baseUrl}/connect`);
    await heading(page, 'Allow Seating Planner to access your workspace?');
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.getByRole('button', { name: 'Allow' }).click();
    await heading(page, 'Connected');
    for (const path of [
      `/settings/${(await firstWorkspace(page))!}/live/apps`,
      '/oauth/authorize?client_id=x',
    ]) {
      await page.goto(path);
      expect({ path, violations: await violations(page) }).toEqual({ path, violations: [] });
    }
    await page.context().close();
  });
});

async function firstWorkspace(page: Page): Promise<string | undefined> {
  return JSON.parse(await page.locator('pre').innerText()).workspace.id;
}
