import type { Browser, Page } from 'playwright-core';
import { createSpace } from '../support/calendar';
import { givePassword, launchBrowser, openBrowser, signIn, type Visitor } from '../support/browser';
import type { Client } from '../support/http-client';
import { fileNeeds } from '../support/requirements';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { FAR, get, type HoldBody, place } from '../holds/support';
import { memberOf } from '../workspaces/people';

fileNeeds('browser');

let gala: TestGala;
let browser: Browser;
let workspace: TestWorkspace;
let client: Client;
let ana: Page;
let luis: Page;
const visitors: Visitor[] = [];
beforeAll(async () => {
  [gala, browser] = await Promise.all([startGala(), launchBrowser()]);
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  [ana, luis] = [await signedIn('ana@example.com'), await signedIn('luis@example.com')];
});
afterAll(async () => {
  await browser.close();
  await gala.stop();
});
afterEach(() => expect(visitors.flatMap(({ complaints }) => complaints)).toEqual([]));

/** A member of the workspace in a browser of their own. */
async function signedIn(email: string): Promise<Page> {
  await memberOf(gala, workspace.id, email, 'member');
  await givePassword(gala, email);
  const visitor = await openBrowser(browser, gala);
  visitors.push(visitor);
  await signIn(visitor.page, email);
  return visitor.page;
}

/** Two holds for one space and time, whose day both browsers show. */
async function bothLook(): Promise<[first: HoldBody, second: HoldBody]> {
  const fields = { ...FAR, spaceId: (await createSpace(client)).id };
  const [first, second] = [await place(client, fields), await place(client, { ...fields, title: 'Novak' })];
  const day = `/settings/${workspace.id}/live/calendar/days/${FAR.startsAt.slice(0, 10)}`;
  for (const page of [ana, luis]) await page.goto(day);
  return [first, second];
}

const press = (page: Page, name: string) => page.getByRole('button', { name }).click();
async function confirm(page: Page, title: string): Promise<void> {
  await page.getByRole('link', { name: `Confirm… ${title}` }).click();
  await press(page, 'Confirm the hold');
}
const told = (page: Page, text: string) => page.getByText(text).waitFor();

test('one person challenges, and the other one confirms in time', async () => {
  const [first, second] = await bothLook();
  await press(ana, 'Challenge Novak');
  await told(ana, 'The holds ahead were challenged.');
  await luis.reload();
  await told(luis, 'To be confirmed or released by');
  await confirm(luis, 'Pérez');
  await told(luis, 'The hold is an event now.');
  await press(ana, 'Withdraw challenge Novak');
  await told(ana, 'The hold is released');
  expect(await get(client, first)).toMatchObject({ status: 'confirmed' });
  expect(await get(client, second)).toMatchObject({ status: 'released', endedReason: 'outbooked' });
});

test('one person confirms while the other one challenges, and both are told', async () => {
  const [first, second] = await bothLook();
  await Promise.all([press(ana, 'Challenge Novak'), confirm(luis, 'Pérez')]);
  await told(luis, 'The hold is an event now.');
  await ana.getByText(/The holds ahead were challenged|The hold is released/).waitFor();
  expect(await get(client, first)).toMatchObject({ status: 'confirmed' });
  expect(await get(client, second)).toMatchObject({ status: 'released', endedReason: 'outbooked' });
  await ana.reload();
  expect(await ana.getByRole('heading', { name: 'Holds' }).count()).toBe(0);
});

test('of two people who confirm the same hold one does, and the other one is told', async () => {
  const [first] = await bothLook();
  await Promise.all([confirm(ana, 'Pérez'), confirm(luis, 'Pérez')]);
  const outcome = (page: Page) =>
    page.getByText(/The hold is an event now|The hold is confirmed/).innerText();
  const outcomes = (await Promise.all([outcome(ana), outcome(luis)])).sort();
  expect(outcomes).toEqual([
    expect.stringContaining('an event now'),
    expect.stringContaining('The hold is confirmed'),
  ]);
  expect((await get(client, first)).status).toBe('confirmed');
});
