import type { Browser, Page } from 'playwright-core';
import { givePassword, launchBrowser, openBrowser, signIn, type Visitor } from '../support/browser';
import { fileNeeds } from '../support/requirements';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { stagesOf } from '../support/stages';

fileNeeds('browser');

let gala: TestGala;
let browser: Browser;
let visitor: Visitor;
let page: Page;
let workspace: TestWorkspace;
beforeAll(async () => {
  [gala, browser] = await Promise.all([startGala(), launchBrowser()]);
  workspace = await gala.createWorkspace('Villa Aurora');
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

const path = () => `/settings/${workspace.id}/live/stages`;
const keys = async () => (await stagesOf(await workspace.client())).map(({ key }) => key);
const row = (name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
const done = (text: string) => page.getByRole('status').getByText(text).waitFor();

test('stages are reordered by buttons', async () => {
  await page.goto(path());
  await page.getByRole('button', { name: 'Move up Contacted' }).click();
  await done('The order was saved.');
  expect((await keys()).slice(0, 2)).toEqual(['contacted', 'new_enquiry']);
  await page.getByRole('button', { name: 'Move down Contacted' }).click();
  await done('The order was saved.');
  expect((await keys()).slice(0, 2)).toEqual(['new_enquiry', 'contacted']);
});

test('stages are reordered by dragging', async () => {
  // Both rows are in sight, since scrolling would move other rows under the pointer.
  await page.setViewportSize({ width: 1440, height: 1800 });
  await page.goto(path());
  await row('Lost').dragTo(row('New enquiry'), { targetPosition: { x: 20, y: 2 } });
  await done('The order was saved.');
  expect((await keys()).slice(0, 2)).toEqual(['lost', 'new_enquiry']);
});
