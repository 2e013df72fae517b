import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openBrowser } from '../support/browser';
import { fileNeeds } from '../support/requirements';
import { startGala, type TestGala } from '../support/start-gala';
import { critical, overflow } from './inspection';

fileNeeds('browser');

jest.setTimeout(90_000);

const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];

let gala: TestGala;
let browser: Browser;
beforeAll(async () => {
  [gala, browser] = await Promise.all([startGala(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await gala.stop();
});

const faults = async (page: Page) => [...(await overflow(page)), ...(await critical(page))];

describe.each(SIZES)('the API reference, $width px wide', (viewport) => {
  let page: Page;
  let complaints: string[];
  beforeEach(async () => {
    ({ page, complaints } = await openBrowser(browser, gala, { viewport }));
    await page.goto('/docs');
    await page.locator('.opblock').first().waitFor();
  });
  afterEach(async () => {
    await page.context().close();
    // A request without a key is refused, as it should be.
    expect(complaints.filter((text) => !text.includes('status of 401'))).toEqual([]);
  });

  test('is no wider than the screen, and has nothing that axe calls critical', async () => {
    expect(await faults(page)).toEqual([]);
  });

  test.each(['GET /v1/leads', 'POST /v1/proposals'])(
    'nor has %s, when it is opened and tried out',
    async (operation) => {
      const [method, path] = operation.split(' ') as [string, string];
      const block = page.locator(`.opblock-${method.toLowerCase()}`).filter({
        has: page.locator(`.opblock-summary-path[data-path="${path}"]`),
      });
      await block.locator('.opblock-summary-control').click();
      await block.locator('.responses-wrapper').waitFor();
      await block.locator('.try-out__btn').click();
      await block.locator('.execute').click();
      await block.locator('.live-responses-table .microlight').first().waitFor();
      expect(await faults(page)).toEqual([]);
    },
  );

  test('nor has the form for the key', async () => {
    await page.locator('.btn.authorize').click();
    await page.locator('.modal-ux').waitFor();
    expect(await faults(page)).toEqual([]);
  });

  test('nor have the schemas', async () => {
    await page.locator('.models > h4 button, .models-control').first().click();
    for (const schema of (await page.locator('.models .json-schema-2020-12-accordion').all()).slice(0, 3))
      await schema.click();
    expect(await faults(page)).toEqual([]);
  });

  test('nor has a guide', async () => {
    await page.goto('/docs/guides/webhooks');
    expect(await faults(page)).toEqual([]);
  });
});
