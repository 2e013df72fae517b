import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { Clock } from '../../src/kernel/clock';
import { memberOf } from '../workspaces/people';
import { LINES, pathOf, send, sent } from '../proposals/support';
import { givePassword, launchBrowser, openBrowser, signIn } from '../support/browser';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { startGala, type TestGala } from '../support/start-gala';
import { ADMIN } from './sample-workspace';
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
const WIDE = { viewport: { width: 1440, height: 860 }, deviceScaleFactor: 1.1 } as const;
const DESKTOP = { viewport: { width: 1280, height: 760 }, deviceScaleFactor: 1.25 } as const;

const OFFER = {
  title: 'Summer wedding in the garden',
  lineItems: LINES,
  deposit: { percent: 30, dueDate: '2027-02-28' },
  validUntil: '2027-03-31',
};

const ANA = {
  name: 'Ana Pérez',
  email: 'ana@example.com',
  phone: '+34600123456',
  eventDate: '2027-06-12',
  guests: 120,
  source: 'website',
  tags: ['wedding', 'garden'],
};
const STAGES = [
  'new_enquiry',
  'contacted',
  'visit_booked',
  'new_enquiry',
  'negotiation',
  'confirmed',
  'contacted',
];
const NAMES = [
  ...['Oliver O’Brien', 'Zoë Nováková', 'Lucía Fernández', 'Ben Carter', 'Chiara Rossi', 'Noah Weber'],
  ...['Emma Larsen', 'Mateo García', 'Sofia Kowalska', 'Hugo Martin', 'Maya Cohen', 'Leo Andersson'],
];
const LEADS = NAMES.map((name, index) => ({
  name,
  email: `lead${index}@example.com`,
  stage: STAGES[index % STAGES.length],
  guests: 40 + index * 15,
  eventDate: `2027-0${4 + (index % 6)}-${10 + index}`,
}));

const clock = new FakeClock();
let gala: TestGala;
let browser: Browser;
let folder: string;
beforeAll(async () => {
  const overrides = [{ provide: Clock, useValue: clock }];
  [gala, browser] = await Promise.all([startGala({ overrides }), launchBrowser()]);
  folder = process.env.SCREENSHOTS
    ? resolve(process.env.SCREENSHOTS)
    : await mkdtemp(join(tmpdir(), 'gala-'));
});
afterAll(async () => {
  await browser.close();
  await gala.stop();
  if (!process.env.SCREENSHOTS) await rm(folder, { recursive: true });
});

async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  const path = join(folder, name);
  await page.screenshot({ path, caret: 'hide' });
  expect((await stat(path)).size).toBeLessThan(MOST_BYTES);
  await page.context().close();
}

describe('sales', () => {
  let client: Client;
  beforeAll(async () => {
    const workspace = await gala.createWorkspace('Villa Aurora');
    client = await workspace.client();
    sales = `/settings/${workspace.id}`;
    await memberOf(gala, workspace.id, ADMIN, 'admin');
    await givePassword(gala, ADMIN);
    for (const lead of LEADS) await createLead(client, lead);
    const { id: leadId } = await createLead(client, ANA);
    await client.post(`/v1/leads/${leadId}/activities`, {
      ...{ type: 'call', direction: 'in', text: 'Asked whether dogs are welcome.' },
    });
    await client.post('/v1/tasks', { title: 'Send the menu', leadId, dueOn: '2027-01-20' });
    await client.post(`/v1/leads/${leadId}/visits`, { startsAt: '2027-02-03T16:00:00Z' });
    const { body: proposal } = await client.post('/v1/proposals', { ...OFFER, leadId });
    await send(client, proposal.id);
    ana = `/live/leads/${leadId}`;
  });
  let sales: string;
  let ana: string;

  async function visit(path: string, screen: BrowserContextOptions): Promise<Page> {
    const { page } = await openBrowser(browser, gala, screen);
    await signIn(page, ADMIN);
    await page.goto(sales + path);
    return page;
  }

  test('the leads as a board', async () => {
    await take(await visit('/live/leads?view=board', WIDE), 'leads-board.png');
  });

  test('a lead with its history', async () => {
    await take(await visit(ana, WIDE), 'lead.png');
  });

  test('the leads on a phone in the dark', async () => {
    const page = await visit('/live/leads', PHONE);
    await page.getByRole('link', { name: 'Ana Pérez' }).scrollIntoViewIfNeeded();
    await take(page, 'leads-phone-dark.png');
  });

  test('what a client reads', async () => {
    const { page } = await openBrowser(browser, gala, DESKTOP);
    await page.goto(pathOf(await sent(client, OFFER)));
    await take(page, 'proposal.png');
  });
});
