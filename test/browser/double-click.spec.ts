import type { Browser, Page } from 'playwright-core';
import { givePassword, launchBrowser, openBrowser, signIn, type Visitor } from '../support/browser';
import type { Client } from '../support/http-client';
import { pathOf, sent, typesOf } from '../proposals/support';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { fileNeeds } from '../support/requirements';

fileNeeds('browser');

jest.setTimeout(90_000);

const visitors: Visitor[] = [];
let gala: TestGala;
let browser: Browser;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  [gala, browser] = await Promise.all([startGala(), launchBrowser()]);
  workspace = await gala.createWorkspace('Villa Aurora');
  client = await workspace.client();
  await givePassword(gala);
});
afterAll(async () => {
  await browser.close();
  await gala.stop();
});
afterEach(() => expect(visitors.flatMap(({ complaints }) => complaints)).toEqual([]));

async function open(options: Parameters<typeof openBrowser>[2] = {}): Promise<Page> {
  const visitor = await openBrowser(browser, gala, options);
  visitors.push(visitor);
  return visitor.page;
}

describe.each([true, false])('with JavaScript: %s', (javaScriptEnabled) => {
  test('a client who double-clicks Accept has accepted once, and reads so', async () => {
    const offer = await sent(client);
    const page = await open({ javaScriptEnabled });
    await page.goto(pathOf(offer));
    await page.getByLabel('Your full name').fill('Ana Pérez');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Accept' }).dblclick();
    await page.getByRole('status').getByText('Accepted by Ana Pérez').waitFor();
    const types = await typesOf(client, offer.id as string);
    expect(types.filter((type) => type === 'proposal.accepted')).toHaveLength(1);
  });

  test('a double click makes one key, and reloading its page shows the same one', async () => {
    const page = await open({ javaScriptEnabled });
    await signIn(page);
    const keys = `/settings/${workspace.id}/test/api-keys`;
    const name = `Form ${javaScriptEnabled}`;
    await page.goto(`${keys}/new`);
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'Create the key' }).dblclick();
    const secret = page.getByRole('group', { name: /new test key/ }).locator('code');
    const key = await secret.textContent();
    await page.reload();
    expect(await secret.textContent()).toBe(key);
    await page.goto(keys);
    expect(await page.getByRole('row').filter({ hasText: name }).count()).toBe(1);
  });
});
