import type { Browser, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import { givePassword, launchBrowser, openBrowser, send, signIn, type Visitor } from '../support/browser';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { WebhookReceiver } from '../support/webhook-receiver';
import { auditRecords } from '../audit-log/records';
import { fileNeeds } from '../support/requirements';

fileNeeds('browser');

const HOSTILE = '</code></pre><script>document.title = "taken over"</script>';

let gala: TestGala;
let browser: Browser;
let visitor: Visitor;
let receiver: WebhookReceiver;
let workspace: TestWorkspace;
let page: Page;
beforeAll(async () => {
  const configuration = { webhookAllowedNetworks: ['127.0.0.0/8'] };
  [gala, browser, receiver] = await Promise.all([
    startGala({ configuration }),
    launchBrowser(),
    WebhookReceiver.start(),
  ]);
  gala.app.get(BackgroundJobs).start();
  await gala.createWorkspace('Garden Events');
  await givePassword(gala);
  visitor = await openBrowser(browser, gala);
  page = visitor.page;
  await signIn(page);
});
afterAll(async () => {
  await browser.close();
  await gala.stop();
  await receiver.stop();
});
beforeEach(async () => {
  workspace = await gala.createWorkspace('Villa Aurora');
  receiver.received.length = 0;
  receiver.answer = (response) => response.writeHead(200).end(HOSTILE);
});
afterEach(() => expect(visitor.complaints).toEqual([]));

const webhooksPath = (mode = 'test') => `/settings/${workspace.id}/${mode}/webhooks`;
const heading = (name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const follow = (name: string) => page.getByRole('link', { name, exact: true }).click();
/** The newest of several: below it is the test that Gala sends to a new host by itself. */
const latest = (name: string) => page.getByRole('link', { name, exact: true }).first().click();
const says = (text: string) => page.getByRole('status').getByText(text).waitFor();
const box = (name: string | RegExp) => page.getByRole('checkbox', { name, exact: true });
const secretOn = async () =>
  (await page.getByRole('group', { name: 'Your new test signing secret' }).locator('code').textContent())!;

/** Unfolds the events of leads, which a form with a choice among them does by itself. */
const unfold = async () => {
  const summary = page.locator('details:not([open]) > summary').filter({ hasText: /^Leads \d+$/ });
  if ((await summary.count()) > 0) await summary.click();
};

/** Fills the form that is open, and ends on the page with the secret. */
async function add(events: string[], description = 'Seating plan'): Promise<string> {
  await page.getByLabel('Endpoint URL').fill(receiver.url);
  await page.getByLabel('Description').fill(description);
  await unfold();
  for (const event of events) await box(event).check();
  await press('Add the endpoint');
  await heading('Copy the secret now');
  return secretOn();
}

/** Loads the page again until it says so: an answer takes its time. */
async function reloadUntil(text: string | RegExp): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if ((await page.getByText(text).count()) > 0) return;
    await page.waitForTimeout(100);
    await page.reload();
  }
  throw new Error(`The page never said ${String(text)}.`);
}

test('an endpoint, from adding it to deleting it', async () => {
  await page.goto(`/settings/${workspace.id}`);
  await follow('Webhooks');
  await heading('Webhooks');
  await page.getByRole('navigation', { name: 'Mode' }).getByRole('link', { name: 'Test' }).click();
  await page.getByText('No test webhook endpoints yet').waitFor();
  await follow('Add a test endpoint');
  const secret = await add(['All lead events']);
  expect(secret).toMatch(/^whsec_/);
  await press('Copy Your new test signing secret');
  await says('Copied.');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);

  await follow('I have stored it');
  await heading('Seating plan');
  expect(await page.content()).not.toContain(secret);
  await press('Send a test event');
  await says('A test event was sent');
  const [got] = await receiver.got(1);
  const sent = got!.body.toString();
  expect(new Webhook(secret).verify(sent, got!.headers as Record<string, string>)).toMatchObject({
    type: 'webhook.test',
    mode: 'test',
  });

  await latest('webhook.test');
  await reloadUntil('Succeeded');
  await page.getByRole('heading', { name: 'Attempt 1: 200' }).waitFor();
  expect(await page.getByRole('group', { name: 'Response to attempt 1' }).innerText()).toBe(HOSTILE);
  expect(await page.getByRole('group', { name: 'Body' }).innerText()).toBe(sent);
  expect(await page.title()).toBe('Test: webhook.test · Gala');
  const timestamp = got!.headers['webhook-timestamp'] as string;
  expect(await page.getByRole('main').innerText()).toContain(timestamp);
  await press('Redeliver');
  await says('The event is being resent.');
  await receiver.got(2);
  await reloadUntil('Attempt 2: 200');

  await follow(receiver.url);
  await follow('Danger zone');
  await press('Pause the endpoint');
  await says('The endpoint is paused.');
  expect(await page.getByRole('button', { name: 'Send a test event' }).count()).toBe(0);
  await press('Enable the endpoint');
  await says('The endpoint is enabled.');

  await follow('Danger zone');
  await follow('Rotate the secret…');
  await heading('Rotate the secret?');
  await page.getByText('For 24 hours, events are signed').waitFor();
  await press('Rotate the secret');
  await heading('Copy the secret now');
  expect(await secretOn()).not.toBe(secret);
  await follow('I have stored it');
  await follow('Danger zone');
  await page.getByText('The previous secret signs until').waitFor();

  await follow('Delete the endpoint…');
  await heading('Delete the endpoint?');
  await press('Delete');
  await says('The endpoint was deleted.');
  await page.getByText('No test webhook endpoints yet').waitFor();
  const actions = (await auditRecords(gala, workspace.id)).map(({ action, actor }) => [action, actor.type]);
  expect(actions.filter(([action]) => action!.startsWith('webhook.'))).toEqual(
    ['deleted', 'secret_rotated', 'updated', 'updated', 'created'].map((what) => [`webhook.${what}`, 'user']),
  );
});

test('what is wrong is said at its field, and what was chosen is still there', async () => {
  await page.goto(`${webhooksPath('live')}/new`);
  await page.getByLabel('Endpoint URL').fill('https://10.0.0.1/hook');
  await send(page, 'Add the endpoint');
  await page.getByRole('alert').getByText('must lead to a public address').waitFor();
  await page.getByRole('alert').getByText('must hold at least one event type').waitFor();
  await unfold();
  await box('A lead was created').check();
  await send(page, 'Add the endpoint');
  await page.getByRole('alert').getByText('must lead to a public address').waitFor();
  expect(await page.getByRole('alert').getByRole('listitem').count()).toBe(1);
  expect(await box('A lead was created').isChecked()).toBe(true);
  expect(await page.getByLabel('Endpoint URL').inputValue()).toBe('https://10.0.0.1/hook');
});

test('what a choice takes in needs no choosing, and is as before when it is taken back', async () => {
  await page.goto(`${webhooksPath()}/new`);
  await unfold();
  await box('A lead was created').focus();
  for (const key of ['Space', 'Shift+Tab', 'Space']) await page.keyboard.press(key);
  expect(await box('All lead events').isChecked()).toBe(true);
  expect(await box('A lead was archived').isDisabled()).toBe(true);
  expect(await box('A lead was archived').isChecked()).toBe(true);
  await box('All events').check();
  expect(await box('All lead events').isDisabled()).toBe(true);
  await box('All events').uncheck();
  await box('All lead events').uncheck();
  const checked = await page
    .getByRole('checkbox', { checked: true })
    .evaluateAll((boxes) => boxes.map((each) => (each as HTMLInputElement).value));
  expect(checked).toEqual(['lead.created']);
  await add(['All lead events']);
  await follow('I have stored it');
  await page.getByRole('definition').getByText('lead.*', { exact: true }).waitFor();
});

test('the log is filtered by outcome, and what was given up is recovered', async () => {
  receiver.answer = (response) => response.writeHead(500).end('out of order');
  await page.goto(`${webhooksPath()}/new`);
  await add(['A lead was created']);
  await follow('I have stored it');
  const client = await workspace.client('test');
  await client.post('/v1/leads', { name: 'Ana', email: 'ana@example.com' });
  await receiver.got(1);
  await reloadUntil('Failing');
  await follow('All deliveries');
  await page.getByLabel('Status').selectOption('Failed');
  await page.getByText('No matching deliveries').waitFor();
  await page.getByLabel('Status').selectOption('Pending');
  expect(await page.getByRole('row').filter({ hasText: 'lead.created' }).innerText()).toContain('500');

  await follow(receiver.url);
  await page.getByLabel('Failed since').fill('');
  await send(page, 'Resend');
  await page.getByRole('alert').getByText('Failed since is required').waitFor();
  await page.getByLabel('Failed since').fill('2027-01-15T09:30');
  await press('Resend');
  await says('No deliveries have failed since then');
});

test('without JavaScript, all of it works', async () => {
  const other = await openBrowser(browser, gala, { javaScriptEnabled: false });
  const shown = page;
  page = other.page;
  try {
    await signIn(page);
    await page.goto(`${webhooksPath()}/new`);
    expect(await secretAfterAdding()).toMatch(/^whsec_/);
    await follow('I have stored it');
    await page.getByRole('definition').getByText('lead.*', { exact: true }).waitFor();
    await press('Send a test event');
    await latest('webhook.test');
    await reloadUntil('Attempt 1: 200');
    await press('Redeliver');
    await reloadUntil('Attempt 2: 200');
    await follow(receiver.url);
    await press('Resend');
    await says('No deliveries have failed since then');
    await follow(receiver.url);
    await follow('Danger zone');
    await press('Pause the endpoint');
    await press('Enable the endpoint');
    await follow('Danger zone');
    await follow('Delete the endpoint…');
    await press('Delete');
    await says('The endpoint was deleted.');
  } finally {
    page = shown;
    await other.page.context().close();
  }
});

/** A group, and something that it takes in already. */
const secretAfterAdding = () => add(['All lead events', 'A lead was created']);
