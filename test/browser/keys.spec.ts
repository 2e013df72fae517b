import type { Browser, Page } from 'playwright-core';
import { Clock } from '../../src/kernel/clock';
import { givePassword, launchBrowser, openBrowser, OWNER, signIn, type Visitor } from '../support/browser';
import { makeKey } from '../support/api-keys';
import { FakeClock } from '../support/fake-clock';
import { Client } from '../support/http-client';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { fileNeeds } from '../support/requirements';

fileNeeds('browser');

const HOUR = 3600;
const clock = new FakeClock();
let gala: TestGala;
let browser: Browser;
let workspace: TestWorkspace;
let visitor: Visitor;
let page: Page;
beforeAll(async () => {
  const overrides = [{ provide: Clock, useValue: clock }];
  [gala, browser] = await Promise.all([startGala({ overrides }), launchBrowser()]);
  await gala.createWorkspace('Garden Events');
  await givePassword(gala);
  visitor = await openBrowser(browser, gala);
  page = visitor.page;
  await signIn(page);
});
afterAll(async () => {
  await browser.close();
  await gala.stop();
});
beforeEach(async () => {
  workspace = await gala.createWorkspace('Villa Aurora');
});
afterEach(() => expect(visitor.complaints).toEqual([]));

const keysPath = (mode: string) => `/settings/${workspace.id}/${mode}/api-keys`;
const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name }) });
const shownKey = async () =>
  (await page
    .getByRole('group', { name: /new (live|test) key/ })
    .locator('code')
    .textContent())!;
const clientOf = (key: string) => new Client(gala.baseUrl, key);
const statusOf = async (key: string) => (await clientOf(key).get('/v1/me')).status;
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });

const SEE_LEADS = 'See your leads: names, emails, phones, event details';

async function createKey(name: string, permissions: string[], mode = 'live'): Promise<string> {
  await page.goto(keysPath(mode));
  await page.getByRole('link', { name: `Create a ${mode} key` }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  for (const permission of permissions) await page.getByLabel(permission).check();
  await page.getByRole('button', { name: 'Create the key' }).click();
  await heading('Copy the key now').waitFor();
  return shownKey();
}

describe('a key made with the form', () => {
  test('is shown once, works on the API with what it may do, and is in the list', async () => {
    const key = await createKey('Website form', [SEE_LEADS]);
    expect(key).toMatch(/^gala_live_/);
    expect((await clientOf(key).get('/v1/me')).body).toMatchObject({
      workspace: { id: workspace.id },
      credential: { scopes: ['leads:read'] },
    });
    expect((await clientOf(key).post('/v1/leads', { name: 'Ana' })).status).toBe(403);

    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('status').getByText('Copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);

    await page.getByRole('link', { name: 'I have stored it' }).click();
    const text = await row('Website form').innerText();
    for (const part of [`gala_live_…${key.slice(-4)}`, 'Leads: read', OWNER, 'Active'])
      expect(text).toContain(part);
    expect(await page.content()).not.toContain(key);
    await row('Website form').getByRole('link').click();
    await heading('Website form').waitFor();
    expect(await page.content()).not.toContain(key);
  });

  test('ends when it was told to', async () => {
    await page.goto(`${keysPath('live')}/new`);
    await page.getByRole('textbox', { name: 'Name' }).fill('Trade fair');
    await page.getByLabel(SEE_LEADS).check();
    await page.getByLabel('Expiry').selectOption('In 7 days');
    await page.getByRole('button', { name: 'Create the key' }).click();
    const key = await shownKey();
    expect(await statusOf(key)).toBe(200);
    await page.getByRole('link', { name: 'I have stored it' }).click();
    expect(await row('Trade fair').innerText()).toMatch(/\d+ [A-Z]\w+, \d\d:\d\d/);

    clock.advance(7 * 24 * HOUR);
    expect(await statusOf(key)).toBe(401);
    await page.reload();
    expect(await row('Trade fair').innerText()).toContain('Expired');
  });

  test('is revoked after a confirmation, from the next call on', async () => {
    const key = await createKey('Old brochure', [SEE_LEADS]);
    await page.goto(keysPath('live'));
    await page.getByRole('link', { name: 'Old brochure' }).click();
    await page.getByRole('link', { name: 'Revoke the key' }).click();
    await heading('Revoke Old brochure?').waitFor();
    expect(await statusOf(key)).toBe(200);

    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('status').getByText('The key was revoked').waitFor();
    expect(await statusOf(key)).toBe(401);
    expect(await row('Old brochure').innerText()).toContain('Revoked');
    await page.getByRole('link', { name: 'Old brochure' }).click();
    await heading('Old brochure').waitFor();
    expect(await page.getByRole('link', { name: 'Revoke the key' }).count()).toBe(0);
  });

  test('stays when one thinks better of it', async () => {
    const key = await createKey('Reports', [SEE_LEADS]);
    await page.goto(keysPath('live'));
    await page.getByRole('link', { name: 'Reports' }).click();
    await page.getByRole('link', { name: 'Revoke the key' }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await heading('Reports').waitFor();
    expect(await statusOf(key)).toBe(200);
  });

  test('is rotated: both keys work, until the time given to the old one is over', async () => {
    const old = await createKey('Website form', [SEE_LEADS]);
    await page.goto(keysPath('live'));
    await page.getByRole('link', { name: 'Website form' }).click();
    await page.getByLabel('Old key stops working').selectOption('In 1 hour');
    await page.getByRole('button', { name: 'Rotate the key' }).click();
    await heading('Copy the key now').waitFor();
    await page.getByText('The old key keeps working for 1 hour.').waitFor();
    const fresh = await shownKey();
    expect(fresh).not.toBe(old);

    expect([await statusOf(old), await statusOf(fresh)]).toEqual([200, 200]);
    clock.advance(HOUR);
    expect([await statusOf(old), await statusOf(fresh)]).toEqual([401, 200]);
    expect((await clientOf(fresh).get('/v1/me')).body.credential.scopes).toEqual(['leads:read']);
  });
});

describe('keys that a key made through the API', () => {
  beforeEach(async () => {
    const key = await createKey('Agency', [
      'See your leads: names, emails, phones, event details',
      'Create, update and archive leads',
    ]);
    await makeKey(clientOf(key), { name: 'Their form', scopes: ['leads:write'] });
    await page.goto(keysPath('live'));
  });
  const goToRevocation = async () => {
    await row('Agency').first().getByRole('link', { name: 'Agency' }).click();
    await page.getByRole('link', { name: 'Revoke the key' }).click();
    await page.getByRole('checkbox', { name: 'Also revoke its descendant key' }).waitFor();
  };
  const stateOf = async (name: string) => (await row(name).innerText()).match(/Active|Revoked/)?.[0];

  test('say which key made them, and it leads to them', async () => {
    expect(await row('Their form').innerText()).toContain('API key Agency');
    await page.getByRole('link', { name: 'Their form' }).click();
    await page.getByRole('link', { name: 'Agency' }).click();
    await heading('Agency').waitFor();
    await page.getByRole('table', { name: 'Descendant keys' }).getByText('Their form').waitFor();
  });

  test('are revoked with it', async () => {
    await goToRevocation();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The key was revoked').waitFor();
    expect([await stateOf('Agency'), await stateOf('Their form')]).toEqual(['Revoked', 'Revoked']);
  });

  test('stay when that is wished', async () => {
    await goToRevocation();
    await page.getByRole('checkbox').uncheck();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The key was revoked').waitFor();
    expect([await stateOf('Agency'), await stateOf('Their form')]).toEqual(['Revoked', 'Active']);
  });
});

describe('live and test', () => {
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const mode = () => page.locator('html').getAttribute('data-mode');
  const band = () => page.getByText('Test mode: sandbox data.');

  test('look different, and each shows its own keys', async () => {
    await createKey('Real', [SEE_LEADS]);
    const sandboxKey = await createKey('Sandbox', [SEE_LEADS], 'test');
    expect(sandboxKey).toMatch(/^gala_test_/);

    await page.goto(keysPath('live'));
    expect([await mode(), await band().isVisible()]).toEqual(['live', false]);
    expect([await row('Real').count(), await row('Sandbox').count()]).toEqual([1, 0]);
    const liveGround = await ground();

    await page.getByRole('navigation', { name: 'Mode' }).getByRole('link', { name: 'Test' }).click();
    await band().waitFor();
    expect(await mode()).toBe('test');
    expect(await ground()).not.toBe(liveGround);
    expect([await row('Real').count(), await row('Sandbox').count()]).toEqual([0, 1]);
  });

  test('a form that is sent again after a mistake stays in its mode', async () => {
    await page.goto(`${keysPath('test')}/new`);
    await page.getByRole('textbox', { name: 'Name' }).fill(' ');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByRole('alert').waitFor();
    expect(await mode()).toBe('test');
  });
});
