import { writeFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { givePassword, launchBrowser, openBrowser, signIn, type Visitor } from '../support/browser';
import type { Client } from '../support/http-client';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { draft, LINES, pathOf, sent } from '../proposals/support';
import { inspect } from './inspection';
import { fileNeeds } from '../support/requirements';

fileNeeds('browser');

jest.setTimeout(90_000);

const FILLED = {
  title: 'Summer wedding in the garden',
  lineItems: [
    ...LINES,
    { description: 'Early bird\ndiscount', unit: 'flat', unitAmount: -50_000, taxRate: 21 },
  ],
  deposit: { percent: 30, dueDate: '2099-02-01' },
  validUntil: '2099-01-01',
  notes: 'Final numbers two weeks before the day.\nNo confetti indoors.',
};

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
const statusOf = async ({ id }: { id: string }) => (await client.get(`/v1/proposals/${id}`)).body.status;

describe.each([true, false])('a client, with JavaScript: %s', (javaScriptEnabled) => {
  test('reads and accepts', async () => {
    const offer = await sent(client, FILLED);
    const page = await open({ javaScriptEnabled });
    await page.goto(pathOf(offer));
    await page.getByRole('heading', { level: 1, name: FILLED.title }).waitFor();
    await page.getByLabel('Your full name').fill('Ana Pérez');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('status').getByText('Accepted by Ana Pérez').waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await statusOf(offer)).toBe('accepted');
  });

  test('declines, by keyboard alone', async () => {
    const offer = await sent(client, FILLED);
    const page = await open({ javaScriptEnabled });
    await page.goto(pathOf(offer));
    await page.getByText('Not for you?').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Too far away');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Declined on').waitFor();
    expect(await statusOf(offer)).toBe('declined');
  });
});

test('the page is in order in every state, on any screen', async () => {
  const page = await open();
  const faults: string[] = [];
  const look = async (path: string) => {
    await page.goto(path);
    faults.push(...(await inspect(page)));
  };
  const open1 = await sent(client, FILLED);
  const withdrawn = await sent(client, FILLED);
  await client.post(`/v1/proposals/${withdrawn.id}/withdraw`);
  const trial = await sent(await workspace.client('test'), { ...FILLED, title: 'x'.repeat(200) });
  for (const offer of [open1, withdrawn, trial]) await look(pathOf(offer));
  await look('/proposals/unknown');
  await page.goto(pathOf(open1));
  await page.evaluate(() => {
    for (const form of document.forms) form.noValidate = true;
  });
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.getByText('Please fill this in.').first().waitFor();
  faults.push(...(await inspect(page)));
  expect(faults).toEqual([]);
});

test('loads nothing from elsewhere', async () => {
  const offer = await sent(client, { ...FILLED, notes: '<img src="https://evil.test/x.png">' });
  const page = await open();
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await page.goto(pathOf(offer), { waitUntil: 'networkidle' });
  expect([...hosts]).toEqual([new URL(gala.baseUrl).host]);
});

test('prints to a PDF of its content alone, also in the dark', async () => {
  const offer = await sent(client, FILLED);
  const page = await open({ colorScheme: 'dark' });
  await page.goto(pathOf(offer));
  const pdf = await page.pdf({ format: 'A4' });
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('button', { name: 'Accept' }).isVisible()).toBe(false);
  expect(await page.getByText('Final numbers').isVisible()).toBe(true);
  const ink = await page.evaluate(() => getComputedStyle(document.body).color);
  const [red] = /\d+/.exec(ink)!;
  expect(Number(red)).toBeLessThan(100);
  if (process.env.PROPOSAL_PDF) await writeFile(process.env.PROPOSAL_PDF, pdf);
});

test('members see the pipeline and the proposals by status, filled and empty', async () => {
  await draft(client, FILLED);
  const page = await open();
  await signIn(page);
  const settings = `/settings/${workspace.id}`;
  const faults: string[] = [];
  for (const path of ['live/pipeline', 'live/proposals', 'live/proposals?status=expired', 'test/pipeline']) {
    await page.goto(`${settings}/${path}`);
    faults.push(...(await inspect(page)));
  }
  expect(faults).toEqual([]);
  await page.goto(`${settings}/live/proposals?status=accepted`);
  await page.getByText('Total: €27,').waitFor();
  await page.goto(`${settings}/live/pipeline`);
  await page.getByText('Confirmed 2').waitFor();
});

test('members work proposals on pages that are in order, with rows of 44 to 48 px, and Enter saves a draft', async () => {
  const long = { ...FILLED, title: 'Corporate summer party with dinner, band and fireworks in the garden' };
  const offer = await sent(client, long);
  await client.post(`/v1/proposals/${offer.id}/revise`);
  const proposal = await draft(client, long);
  const page = await open();
  await signIn(page);
  const path = `/settings/${workspace.id}/live/proposals`;
  const faults: string[] = [];
  for (const each of [
    '',
    `/${offer.id}`,
    `/${proposal.id}`,
    `/${proposal.id}/edit`,
    '/new',
    `/${offer.id}/withdraw`,
  ]) {
    await page.goto(path + each);
    faults.push(...(await inspect(page)));
  }
  await page.goto(pathOf(offer));
  faults.push(...(await inspect(page)));
  expect(faults).toEqual([]);
  expect(await page.getByRole('button', { name: 'Accept' }).isDisabled()).toBe(true);

  await page.goto(path);
  for (const width of [1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const heights = await page.evaluate(() =>
      [...document.querySelectorAll('tbody tr')].map((row) => row.getBoundingClientRect().height),
    );
    for (const height of heights) expect(height >= 44 && height <= 48).toBe(true);
  }

  await page.goto(`${path}/${proposal.id}/edit`);
  await page.getByLabel('Price').first().fill('90');
  await page.getByLabel('Price').first().press('Enter');
  await page.getByText('Changes saved.').waitFor();
  expect((await client.get(`/v1/proposals/${proposal.id}`)).body.lineItems[0].unitAmount).toBe(9000);
});
