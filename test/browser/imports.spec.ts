import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import { leadsOf } from '../imports/support';
import { givePassword, launchBrowser, openBrowser, send, signIn, type Visitor } from '../support/browser';
import { fileNeeds } from '../support/requirements';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

fileNeeds('browser');
jest.setTimeout(120_000);

const PICTURES = process.env.IMPORT_PICTURES;
const GOOD_ROWS = 60;
const BAD_ROWS = 300;

let gala: TestGala;
let browser: Browser;
let visitor: Visitor;
let page: Page;
let workspace: TestWorkspace;
beforeAll(async () => {
  [gala, browser] = await Promise.all([startGala(), launchBrowser()]);
  gala.app.get(BackgroundJobs).start();
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

/** Dates that can be read in two ways, and rows whose address has no domain between others. */
function file(): Buffer {
  const rows = Array.from({ length: GOOD_ROWS + BAD_ROWS }, (_, index) => {
    const isGood = index % 6 === 0;
    const email = isGood ? `guest${index}@example.com` : `guest${index}@`;
    return `Guest ${index};${email};${String((index % 12) + 1).padStart(2, '0')}/06/2027;${10 + index}`;
  });
  return Buffer.from(`Nombre;Correo electrónico;Fecha del evento;Invitados\n${rows.join('\n')}\n`);
}

async function picture(name: string): Promise<void> {
  if (!PICTURES) return;
  for (const width of [390, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${PICTURES}/${name}-${width}.png`, fullPage: true });
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

test('a file with a wrong delimiter, dates of two meanings and 300 bad rows: the good rows get in, the others come back', async () => {
  await page.goto(`/settings/${workspace.id}/live/imports`);
  await picture('new');
  await page.getByLabel('Delimiter').selectOption('Comma');
  await page.getByLabel('File').setInputFiles({ name: 'leads.csv', mimeType: 'text/csv', buffer: file() });
  await send(page, 'Upload and check');
  await page.getByText('Ready').first().waitFor();
  await picture('wrong-delimiter');

  await page.getByLabel('Delimiter').selectOption('Semicolon');
  await send(page, 'Save and check again');
  await page.getByText('can be read as DD/MM/YYYY or MM/DD/YYYY').waitFor();
  await picture('question');

  await page.getByLabel('Dates').selectOption('DD/MM/YYYY');
  await send(page, 'Save and check again');
  await page.getByRole('button', { name: `Import ${GOOD_ROWS} leads` }).waitFor();
  await picture('ready');
  await send(page, `Import ${GOOD_ROWS} leads`);

  const link = page.getByRole('link', { name: `Download all ${BAD_ROWS} as CSV` });
  await link.waitFor();
  await picture('completed');
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(lines).toHaveLength(1 + BAD_ROWS);
  expect(lines[1]).toMatch(/^Guest 1,guest1@,02\/06\/2027,11,3,email: /);
  const leads = await leadsOf(await workspace.client());
  expect(leads).toHaveLength(GOOD_ROWS);
  expect(leads[1]).toMatchObject({ name: 'Guest 6', eventDate: '2027-06-07', guests: 16 });
  await page.goto(`/settings/${workspace.id}/live/imports`);
  await picture('list');
});
