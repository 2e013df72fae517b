import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { Clock } from '../../src/kernel/clock';
import { memberOf } from '../workspaces/people';
import { LINES, pathOf, sent } from '../proposals/support';
import { givePassword, launchBrowser, openBrowser, signIn } from '../support/browser';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { startGala, type TestGala } from '../support/start-gala';
import { ADMIN, sampleWorkspace } from './sample-workspace';
import { fileNeeds } from '../support/requirements';

fileNeeds('browser');

/**
 * The pictures of the README. They are taken by every run, so that taking them goes on working, and kept when
 * `SCREENSHOTS` names a folder:
 *
 *     SCREENSHOTS=docs/images npm run test:slow -- test/browser/screenshots
 */
/** For the repository's sake. How well a page packs depends on the fonts of the machine. */
const MOST_BYTES = 200 * 1024;
const PHONE = { viewport: { width: 360, height: 720 }, deviceScaleFactor: 2, colorScheme: 'dark' } as const;
const DESKTOP = { viewport: { width: 1280, height: 760 }, deviceScaleFactor: 1.25 } as const;

const OFFER = {
  title: 'Summer wedding in the garden',
  lineItems: LINES,
  deposit: { percent: 30, dueDate: '2027-02-28' },
  validUntil: '2027-03-31',
};

const clock = new FakeClock();
let gala: TestGala;
let browser: Browser;
let settings: string;
let folder: string;
beforeAll(async () => {
  const overrides = [{ provide: Clock, useValue: clock }];
  [gala, browser] = await Promise.all([startGala({ overrides }), launchBrowser()]);
  settings = `/settings/${(await sampleWorkspace(gala, clock)).id}`;
  await givePassword(gala, ADMIN);
  folder = process.env.SCREENSHOTS
    ? resolve(process.env.SCREENSHOTS)
    : await mkdtemp(join(tmpdir(), 'gala-'));
});
afterAll(async () => {
  await browser.close();
  await gala.stop();
  if (!process.env.SCREENSHOTS) await rm(folder, { recursive: true });
});

async function open(path: string, screen: BrowserContextOptions): Promise<Page> {
  const { page } = await openBrowser(browser, gala, screen);
  await signIn(page, ADMIN);
  await page.goto(settings + path);
  return page;
}

async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  const path = join(folder, name);
  await page.screenshot({ path, caret: 'hide' });
  expect((await stat(path)).size).toBeLessThan(MOST_BYTES);
  await page.context().close();
}

test('the list of keys', async () => {
  const page = await open('/live/api-keys', DESKTOP);
  await page.getByRole('link', { name: 'Website form' }).waitFor();
  await take(page, 'settings-api-keys.png');
});

test('the form that makes a key, in test mode', async () => {
  const page = await open('/test/api-keys/new', DESKTOP);
  await page.getByLabel('See your leads: names, emails, phones, event details').check();
  await page.getByLabel('Create, update and archive leads').check();
  await page.getByRole('textbox', { name: 'Name' }).fill('Website form');
  await take(page, 'settings-create-key.png');
});

test('a phone in the dark', async () => {
  const page = await open('/live/api-keys', PHONE);
  await page.getByRole('link', { name: 'Website form' }).waitFor();
  await take(page, 'settings-phone-dark.png');
});

describe('proposals', () => {
  let client: Client;
  beforeAll(async () => {
    const workspace = await gala.createWorkspace('Villa Aurora');
    client = await workspace.client();
    sales = `/settings/${workspace.id}`;
    await memberOf(gala, workspace.id, ADMIN, 'admin');
    for (const [stage, count] of [
      ['new_enquiry', 9],
      ['contacted', 6],
      ['visit_booked', 4],
      ['lost', 2],
    ] as const)
      for (let made = 0; made < count; made++) await createLead(client, { stage });
    for (let made = 0; made < 3; made++) await sent(client, OFFER);
  });
  let sales: string;

  test('what a client reads', async () => {
    const { page } = await openBrowser(browser, gala, DESKTOP);
    await page.goto(pathOf(await sent(client, OFFER)));
    await take(page, 'proposal.png');
  });

  test('the pipeline', async () => {
    const { page } = await openBrowser(browser, gala, DESKTOP);
    await signIn(page, ADMIN);
    await page.goto(`${sales}/live/pipeline`);
    await take(page, 'settings-pipeline.png');
  });
});
