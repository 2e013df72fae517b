import type { Browser, Page } from 'playwright-core';
import { givePassword, launchBrowser, openBrowser, signIn } from '../support/browser';
import { Client } from '../support/http-client';
import { startGala, type TestGala } from '../support/start-gala';
import { fileNeeds } from '../support/requirements';

fileNeeds('browser');

let gala: TestGala;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  [gala, browser] = await Promise.all([startGala(), launchBrowser()]);
  await gala.createWorkspace('Villa Aurora');
  await givePassword(gala);
  page = (await openBrowser(browser, gala, { javaScriptEnabled: false })).page;
});
afterAll(async () => {
  await browser.close();
  await gala.stop();
});

const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const follow = (name: string) => page.getByRole('link', { name }).click();

test('one signs in, makes a key, and revokes it', async () => {
  await signIn(page);
  await heading('Villa Aurora');
  await follow('API keys');
  await follow('Live');
  await follow('Create a live key');
  await page.getByRole('textbox', { name: 'Name' }).fill(' ');
  await page.getByLabel('See your leads: names, emails, phones, event details').check();
  await press('Create the key');
  await page.getByRole('alert').waitFor();
  expect(await page.getByLabel('See your leads: names, emails, phones, event details').isChecked()).toBe(
    true,
  );
  await page.getByRole('textbox', { name: 'Name' }).fill('Website form');
  await press('Create the key');

  await heading('Copy the key now');
  // A button that would do nothing isn’t shown: a click selects the whole key instead.
  expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
  const secret = page.getByRole('group', { name: 'Your new live key' }).locator('code');
  const client = new Client(gala.baseUrl, await secret.innerText());
  expect((await client.get('/v1/me')).status).toBe(200);

  await follow('I have stored it');
  await follow('Website form');
  await follow('Revoke the key');
  await press('Revoke');
  await page.getByText('The key was revoked').waitFor();
  expect((await client.get('/v1/me')).status).toBe(401);
});
