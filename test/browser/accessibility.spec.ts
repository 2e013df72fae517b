import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { Clock } from '../../src/kernel/clock';
import { Mailer } from '../../src/kernel/mailer';
import { Accounts } from '../../src/modules/accounts';
import { ManageSpaces } from '../../src/modules/calendar';
import { PlaceHold } from '../../src/modules/holds/application/place-hold';
import { ImportLeads } from '../../src/modules/imports/application/import-leads';
import { FileChecker } from '../../src/modules/imports/infrastructure/file-checker';
import { InviteMember } from '../../src/modules/workspaces';
import { ManageApps } from '../../src/modules/oauth';
import { picture } from '../files/support';
import { SATURDAY } from '../holds/support';
import { PAGE_ROUTES } from '../pages/page-routes';
import {
  addressBehind,
  givePassword,
  launchBrowser,
  misguide,
  openBrowser,
  PASSWORD,
  send,
  signIn,
  type Visitor,
} from '../support/browser';
import { FakeClock } from '../support/fake-clock';
import { Mailbox } from '../support/mailbox';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { CREDENTIALS, WhatsAppServer } from '../support/whatsapp-server';
import { memberOf, ownerOf } from '../workspaces/people';
import { critical, inspect } from './inspection';
import { ADMIN, MEMBER, sampleWorkspace, type SampleWorkspace } from './sample-workspace';
import { fileNeeds } from '../support/requirements';

fileNeeds('browser');

// Some dozens of pages, each looked at twice, take their time on a busy machine.
jest.setTimeout(90_000);

const APP = 'https://app.example.com/callback';
/** Two of every delivery, one of them answered at length. */
const FAILED_ATTEMPTS = `
  WITH failing AS (UPDATE webhook_endpoints SET failing_since = $1)
  INSERT INTO webhook_attempts (workspace_id, mode, delivery_id, number, at, duration_ms, response_status, response_body, error)
  SELECT workspace_id, mode, id, number, $1, 1234, answer, body, error
  FROM webhook_deliveries, (VALUES
    (1, 500, repeat('<p>out of order</p>', 200), NULL), (2, NULL, NULL, 'The connection was refused.')
  ) AS attempt (number, answer, body, error)`;
/** One of every way to end; the first page is full. */
const ANSWERED = `
  INSERT INTO request_log (workspace_id, mode, occurred_at, id, request_id, method, path, status, duration_ms, credential_id,
                           credential_name)
  SELECT workspace_id, 'live', $1, gen_random_uuid(), repeat('x', 128), 'DELETE', '/v1/' || repeat('long/', 20), status, 1234.5,
         credential, repeat('Name ', 20)
  FROM memberships, unnest(ARRAY[200, 404, 500, NULL]) AS status, unnest(ARRAY['key_1', 'inst_1']) AS credential,
       generate_series(1, 7)`;
const clock = new FakeClock();
const mailbox = new Mailbox();
const seen = new Set<string>();
const visitors: Visitor[] = [];
let gala: TestGala;
let browser: Browser;
let whatsApp: WhatsAppServer;
let workspace: SampleWorkspace;
let settings: string;
/** Where an app sends people to be let in. */
let consent: string;
beforeAll(async () => {
  const overrides = [
    { provide: Clock, useValue: clock },
    { provide: Mailer, useValue: mailbox },
  ];
  whatsApp = await WhatsAppServer.start();
  const configuration = { whatsAppApiUrl: whatsApp.url };
  [gala, browser] = await Promise.all([startGala({ overrides, configuration }), launchBrowser()]);
  workspace = await sampleWorkspace(gala, clock);
  settings = `/settings/${workspace.id}`;
  for (const email of [ADMIN, MEMBER]) await givePassword(gala, email);
  const input = { name: 'Seating Planner', redirectUris: [APP], scopes: ['leads:read', 'leads:write'] };
  const { app } = await get(ManageApps).register(input, { isPublic: false });
  consent = `/oauth/authorize?${new URLSearchParams({ client_id: app.id, redirect_uri: APP })}`;
});
afterAll(async () => {
  await browser.close();
  await gala.stop();
  await whatsApp.stop();
});
afterEach(() => expect(visitors.flatMap(({ complaints }) => complaints)).toEqual([]));

async function open(email?: string): Promise<Page> {
  const visitor = await openBrowser(browser, gala);
  visitors.push(visitor);
  const { page } = visitor;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) seen.add(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  if (email) await signIn(page, email);
  return page;
}

const get = <Type>(token: new (...args: never[]) => Type) => gala.app.get<Type>(token, { strict: false });
const invite = async (email: string) => {
  const input = { email, role: 'member' } as const;
  const { token } = await get(InviteMember).execute(workspace.id, await ownerOf(gala), input);
  return `/invitations/${token}`;
};

/** What a job does in the background. */
async function checkFiles(): Promise<void> {
  for (const claim of await get(FileChecker).claim([])) await get(FileChecker).handle(claim);
}

/** The page has that heading, and nothing is wrong with it. */
async function check(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  expect(await inspect(page)).toEqual([]);
}

async function visit(page: Page, path: string, heading: string): Promise<void> {
  await page.goto(path);
  await check(page, heading);
}

async function checkFaulty(page: Page, button: string, heading: string): Promise<void> {
  await send(page, button);
  await page.getByRole('alert').waitFor();
  await check(page, heading);
}

describe('to somebody who isn’t signed in', () => {
  let page: Page;
  beforeAll(async () => {
    page = await open();
  });

  test('signing in', async () => {
    await visit(page, '/sign-in', 'Sign in');
    await checkFaulty(page, 'Sign in', 'Sign in');
    await visit(page, '/sign-in?notice=signed-out', 'Sign in');
  });

  test('a forgotten password', async () => {
    await visit(page, '/password-reset', 'Choose a new password');
    await checkFaulty(page, 'Send the link', 'Choose a new password');
    await page.getByLabel('Email').fill(MEMBER);
    await send(page, 'Send the link');
    await check(page, 'Check your email');
    await visit(page, mailbox.linkTo(MEMBER), 'Choose a new password');
    await checkFaulty(page, 'Save password', 'Choose a new password');
    await visit(page, '/password-reset/unknown', 'This link no longer works');
    const mute = jest.replaceProperty(mailbox, 'canSend', false);
    await visit(page, '/password-reset', 'Choose a new password');
    mute.restore();
  });

  test('an invitation', async () => {
    await visit(page, await invite('ana@example.com'), 'Join Villa Aurora');
    await send(page, 'Email me the link');
    await check(page, 'Check your email');
    await visit(page, mailbox.linkTo('ana@example.com'), 'Join Villa Aurora');
    await checkFaulty(page, 'Join', 'Join Villa Aurora');
    await visit(page, '/invitations/unknown', 'This invitation no longer works');
  });
});

describe('to an admin', () => {
  let page: Page;
  beforeAll(async () => {
    page = await open(ADMIN);
  });

  test('the overview', () => visit(page, settings, 'Villa Aurora'));

  test('the leads as a list and as a board, and a lead with its history', async () => {
    const leads = `${settings}/live/leads`;
    await visit(page, leads, 'Leads');
    await page.getByRole('link', { name: 'Add lead' }).click();
    await check(page, 'Add a lead');
    await page.getByLabel('Email').fill('ana@example.com');
    await page.getByLabel('Guests').fill('many');
    await checkFaulty(page, 'Add lead', 'Add a lead');
    await page.getByLabel('Guests').fill('120');
    await page.getByLabel('Phone').fill('+34 600 123 456');
    await page.getByLabel('Tags').fill('wedding, garden');
    await send(page, 'Add lead');
    await page.getByLabel('Text').fill('Asked whether dogs are welcome.');
    await send(page, 'Add');
    await page.getByLabel('Add a task').fill('Send the menu');
    await send(page, 'Add task');
    await check(page, 'ana@example.com');
    await page.getByRole('link', { name: 'Edit' }).click();
    await check(page, 'Edit ana@example.com');
    await visit(page, leads, 'Leads');
    await visit(page, `${leads}?view=board`, 'Leads');
    await visit(page, `${leads}?q=nobody`, 'Leads');
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Proposals' }).waitFor();
    expect(await critical(page)).toEqual([]);
  });

  test('the lists of keys, filled and empty', async () => {
    await visit(page, `${settings}/live/api-keys`, 'API keys');
    await visit(page, `${settings}/test/api-keys`, 'API keys');
    await sql(gala.databaseUrl, `DELETE FROM api_keys WHERE mode = 'test'`);
    await visit(page, `${settings}/test/api-keys`, 'API keys');
  });

  test('making a key', async () => {
    await visit(page, `${settings}/test/api-keys/new`, 'Create a test key');
    await visit(page, `${settings}/live/api-keys/new`, 'Create a live key');
    await checkFaulty(page, 'Create the key', 'Create a live key');
    await page.getByRole('textbox', { name: 'Name' }).fill('N'.repeat(100));
    for (const box of await page.getByRole('checkbox').all()) await box.check();
    await send(page, 'Create the key');
    await check(page, 'Copy the key now');
  });

  test('a key', async () => {
    const path = `${settings}/live/api-keys`;
    await visit(page, `${path}/${workspace.revoked}`, 'Old brochure');
    await page.goto(path);
    await page.getByRole('link', { name: 'Agency', exact: true }).click();
    await check(page, 'Agency');
    await page.getByRole('link', { name: 'Revoke the key' }).click();
    await check(page, 'Revoke Agency?');
    await visit(page, `${path}/${workspace.websiteForm}`, 'Website form');
    await misguide(page.getByRole('combobox'));
    await checkFaulty(page, 'Rotate the key', 'Website form');
    await send(page, 'Rotate the key');
    await check(page, 'Copy the key now');
    await page.goto(`${path}/${workspace.websiteForm}/revoke`);
    await send(page, 'Revoke');
    await check(page, 'API keys');
  });

  test('webhooks', async () => {
    const path = `${settings}/live/webhooks`;
    await visit(page, path, 'Webhooks');
    await visit(page, `${path}/new`, 'Add a live endpoint');
    await checkFaulty(page, 'Add the endpoint', 'Add a live endpoint');
    await page.getByLabel('Endpoint URL').fill(`https://example.com/${'hook'.repeat(40)}`);
    await page
      .locator('summary')
      .filter({ hasText: /^Leads \d/ })
      .click();
    await page.getByLabel('All lead events').check();
    await send(page, 'Add the endpoint');
    await check(page, 'Copy the secret now');
    await page.getByRole('link', { name: 'I have stored it' }).click();
    await check(page, 'example.com');
    await page.getByLabel('Failed since').fill('');
    await checkFaulty(page, 'Resend', 'example.com');
    await send(page, 'Send a test event');
    await page.getByText('A test event was sent').waitFor();
    const endpoint = new URL(page.url()).pathname;
    await sql(gala.databaseUrl, FAILED_ATTEMPTS, [clock.now()]);
    await visit(page, path, 'Webhooks');
    await visit(page, endpoint, 'example.com');
    await page.getByRole('link', { name: 'webhook.test' }).first().click();
    await check(page, 'webhook.test');
    await visit(page, `${endpoint}/deliveries`, 'Deliveries');
    await visit(page, `${endpoint}/deliveries?status=failed`, 'Deliveries');
    for (const [link, heading] of [
      ['Rotate the secret…', 'Rotate the secret?'],
      ['Delete the endpoint…', 'Delete the endpoint?'],
    ] as const) {
      await page.goto(`${endpoint}?tab=danger`);
      await page.getByRole('link', { name: link }).click();
      await check(page, heading);
    }
    await visit(page, `${endpoint}?tab=settings`, 'example.com');
    await visit(page, `${endpoint}?tab=danger`, 'example.com');
    await send(page, 'Pause the endpoint');
    await page.getByRole('status').waitFor();
    await sql(
      gala.databaseUrl,
      `UPDATE webhook_endpoints SET disabled_reason = 'The endpoint answered 410 Gone.'`,
    );
    await visit(page, endpoint, 'example.com');
    await visit(page, path, 'Webhooks');
  });

  test('the request log, empty and filled', async () => {
    const path = `${settings}/live/request-log`;
    await visit(page, path, 'Request log');
    await sql(gala.databaseUrl, ANSWERED, [clock.now()]);
    await visit(page, path, 'Request log');
    await visit(page, `${path}?outcome=failed&method=DELETE&path=/v1&day=2027-01-15`, 'Request log');
    await page.getByLabel('Request ID').fill('no such id');
    await send(page, 'Show');
    await check(page, 'Request log');
  });

  test('an app that asks to be let in', async () => {
    await visit(page, consent, 'Allow Seating Planner to access your workspace?');
    await misguide(page.getByLabel('Data'));
    await checkFaulty(page, 'Allow', 'Allow Seating Planner to access your workspace?');
    expect((await addressBehind(page, 'Allow', APP)).href).toMatch(`${APP}?code=`);
    await visit(page, '/oauth/authorize?client_id=unknown', 'This app link doesn’t work');
  });

  test('the apps that were let in', async () => {
    await visit(page, `${settings}/test/apps`, 'Installed apps');
    await visit(page, `${settings}/live/apps`, 'Installed apps');
    await page.getByRole('link', { name: 'Remove Seating Planner' }).click();
    await check(page, 'Remove Seating Planner?');
    await send(page, 'Remove');
    await check(page, 'Installed apps');
  });

  test('the calendar, a link to it, and a month without anything', async () => {
    await visit(page, `${settings}/live/calendar`, 'Calendar');
    await send(page, 'Create a link');
    await check(page, 'Copy the link now');
    await visit(page, `${settings}/live/calendar?month=2027-06`, 'Calendar');
    await send(page, 'Revoke the link');
    await check(page, 'Calendar');
    await page.getByRole('status').getByText('The link was revoked.').waitFor();
    await visit(page, `${settings}/test/calendar?month=2031-02`, 'Calendar');
  });

  test('the days and entries of the calendar, and adding to it', async () => {
    const path = `${settings}/live/calendar`;
    await visit(page, `${path}?month=2027-01&type=hold`, 'Calendar');
    await visit(page, `${path}/days/2027-01-23`, 'Saturday, 23 January 2027');
    await page.getByRole('link', { name: 'Wedding of Ana and Luis' }).click();
    await check(page, 'Wedding of Ana and Luis');
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('First day').fill('2027-01-25');
    await checkFaulty(page, 'Save', 'Edit Wedding of Ana and Luis');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Cancel event…' }).click();
    await check(page, 'Cancel the event?');
    await send(page, 'Cancel the event');
    await check(page, 'Wedding of Ana and Luis');
    await send(page, 'Restore');
    await check(page, 'Wedding of Ana and Luis');
    await visit(page, `${path}/days/2027-03-03`, 'Wednesday, 3 March 2027');
    await page.getByRole('link', { name: 'Plan a visit' }).click();
    await page.getByLabel('Guests').fill('many');
    await checkFaulty(page, 'Add', 'Plan a visit');
    await visit(page, `${path}/days/2027-03-03/hold`, 'Hold a date');
    await checkFaulty(page, 'Hold', 'Hold a date');
    await visit(page, `${path}/availability?month=2027-01`, 'Availability');
    await visit(page, `${settings}/test/calendar/availability`, 'Availability');
    await visit(page, `${path}?month=2027-01`, 'Calendar');
    await page.setViewportSize({ width: 390, height: 800 });
    await check(page, 'Calendar');
    await visit(page, `${path}/availability?month=2027-01`, 'Availability');
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('the holds of a day, and the rules for holds', async () => {
    const ref = { workspaceId: workspace.id, mode: 'live' } as const;
    const { id: barn } = await get(ManageSpaces).create(ref, await ownerOf(gala), { name: 'Barn' });
    const queue = { ...SATURDAY, spaces: { field: 'spaceId', ids: [barn] } } as const;
    for (const title of ['Pérez', 'Novak', 'Khan']) await get(PlaceHold).execute(ref, { ...queue, title });
    await visit(page, `${settings}/live/calendar?month=2027-06`, 'Calendar');
    await page.getByRole('link', { name: '3 · Khan' }).first().click();
    await check(page, 'Khan');
    await page.getByRole('link', { name: 'Open the queue of the day' }).click();
    await page.getByRole('heading', { level: 2, name: '3 · Khan' }).waitFor();
    const heading = await page.getByRole('heading', { level: 1 }).innerText();
    await check(page, heading);
    await send(page, 'Challenge Khan');
    await page.getByRole('status').getByText('The holds ahead were challenged.').waitFor();
    await check(page, heading);
    await page.getByRole('form', { name: 'Extend Pérez' }).getByLabel('Expiry date').fill('2027-06-20');
    await checkFaulty(page, 'Extend Pérez', heading);
    await page.getByRole('link', { name: 'Release… Novak' }).click();
    await check(page, 'Release the hold?');
    await page.getByRole('link', { name: 'Keep it as it is' }).click();
    await page.getByRole('link', { name: 'Confirm… Pérez' }).click();
    await check(page, 'Confirm the hold?');
    await send(page, 'Confirm the hold');
    await check(page, heading);
    await visit(page, `${settings}/live/calendar/hold-policy`, 'Hold policy');
    await page.getByLabel('Longest queue').fill('0');
    await checkFaulty(page, 'Save', 'Hold policy');
    await visit(page, `${settings}/test/calendar/hold-policy`, 'Hold policy');
  });

  test('tasks, and emails about them', async () => {
    await visit(page, `${settings}/live/tasks`, 'Tasks');
    await page.getByLabel('Email me when tasks assigned to me are due').uncheck();
    await send(page, 'Save');
    await page.getByRole('status').getByText('Changes saved.').waitFor();
    await check(page, 'Tasks');
    await visit(page, `${settings}/test/tasks?view=mine`, 'Tasks');
    await page.goto(`${settings}/live/tasks`);
    await page.getByRole('button', { name: 'Done' }).first().click();
    await page.getByText('The task is done.').waitFor();
    await visit(page, `${settings}/live/tasks?view=done`, 'Tasks');
  });

  test('files, and the brand that shows them', async () => {
    await visit(page, `${settings}/live/files`, 'Files');
    const file = {
      name: 'garden.png',
      mimeType: 'image/png',
      buffer: await picture({ width: 900, height: 600 }),
    };
    await page.getByLabel('Image', { exact: true }).setInputFiles({ ...file, buffer: Buffer.from('GIF89a') });
    await checkFaulty(page, 'Upload', 'Files');
    await page.getByLabel('Image', { exact: true }).setInputFiles(file);
    await send(page, 'Upload');
    await page.getByRole('status').getByText('The image was uploaded.').waitFor();
    await check(page, 'Files');
    await visit(page, `${settings}/live/brand`, 'Brand');
    await page.getByLabel('Accent colour').fill('#ffff00');
    await checkFaulty(page, 'Save', 'Brand');
    await page.getByLabel('Accent colour').fill('#1f5a46');
    await page.getByLabel('Logo').selectOption({ index: 1 });
    await send(page, 'Save');
    await check(page, 'Brand');
    await visit(page, `${settings}/live/files`, 'Files');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('This image can’t be deleted').waitFor();
    await check(page, 'Files');
  });

  test('imports: one with a question and problems, and its failed rows', async () => {
    const path = `${settings}/test/imports`;
    await visit(page, path, 'Import');
    const file = 'Name,Email,Event date\nAna,ana@example.com,05/06/2027\nBo,nobody,07/08/2027\n';
    const buffer = Buffer.from(file);
    await page.getByLabel('File').setInputFiles({ name: 'leads.csv', mimeType: 'text/csv', buffer });
    await send(page, 'Upload and check');
    await check(page, 'Import');
    await checkFiles();
    await page.reload();
    await check(page, 'Import');
    await page.getByLabel('Dates').selectOption('DD/MM/YYYY');
    await send(page, 'Save and check again');
    await checkFiles();
    await page.reload();
    await send(page, 'Import 1 lead');
    while (await get(ImportLeads).execute());
    await page.reload();
    await check(page, 'Import');
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download all 1 as CSV' }).click();
    expect((await downloading).suggestedFilename()).toMatch(/^imp_\w+-failed\.csv$/);
    await visit(page, path, 'Import');
  });

  test('stages, one of them with leads, and lost reasons', async () => {
    const path = `${settings}/test/stages`;
    await visit(page, path, 'Stages');
    await page.getByLabel('Name').fill('Tasting');
    await send(page, 'Add stage');
    await check(page, 'Stages');
    await page.getByLabel('New reason').fill('Over budget');
    await send(page, 'Add reason');
    await check(page, 'Stages');
    await visit(page, `${path}/tasting/edit`, 'Tasting');
    await visit(page, `${path}/lost/edit`, 'Lost');
    await page.goto(path);
    await page.getByRole('link', { name: 'Over budget' }).click();
    await check(page, 'Rename “Over budget”');
    await visit(page, `${path}/tasting/edit`, 'Tasting');
    await send(page, 'Archive Tasting');
    await check(page, 'Stages');
    await visit(page, `${settings}/live/stages`, 'Stages');
  });

  test('custom fields, one of them archived', async () => {
    const path = `${settings}/test/fields`;
    await visit(page, path, 'Fields');
    await checkFaulty(page, 'Add field', 'Fields');
    await page.getByLabel('Label').fill('Room');
    await page.getByLabel('Type').selectOption('One of several options');
    await page.getByLabel('Options').fill('Garden\nhall = Great hall');
    await send(page, 'Add field');
    await page.getByLabel('Label').fill('Table');
    await send(page, 'Add field');
    await check(page, 'Fields');
    await page.getByRole('link', { name: 'Room' }).click();
    await check(page, 'Room');
    await page.getByLabel('Label').fill('');
    await checkFaulty(page, 'Save', 'Room');
    await page.goto(path);
    await page.getByRole('link', { name: 'Table' }).click();
    await send(page, 'Archive Table');
    await check(page, 'Fields');
    await visit(page, `${settings}/live/fields`, 'Fields');
  });

  test('the workspace’s settings', async () => {
    await visit(page, `${settings}/workspace`, 'General');
    await page.getByLabel('Name').fill('');
    await checkFaulty(page, 'Save', 'General');
    await page.getByLabel('Name').fill('Villa Aurora');
    await send(page, 'Save');
    await page.getByRole('status').getByText('Changes saved.').waitFor();
    await check(page, 'General');
  });

  test('its members', async () => {
    await visit(page, `${settings}/members`, 'Members');
    await checkFaulty(page, 'Invite', 'Members');
    await page.getByLabel('Email').fill('ben@example.com');
    await send(page, 'Invite');
    await check(page, 'ben@example.com is invited');
    await page.goto(`${settings}/members`);
    await page.getByRole('button', { name: `Pause new leads of ${MEMBER}` }).click();
    await check(page, 'Members');
    await page.getByRole('link', { name: `Remove ${MEMBER}` }).click();
    await check(page, `Remove ${MEMBER}?`);
    await page.goto(`${settings}/members`);
    await page.getByRole('link', { name: 'Leave Villa Aurora' }).click();
    await check(page, 'Leave Villa Aurora?');
  });

  test('who gets new leads', async () => {
    await visit(page, `${settings}/test/assignment`, 'Assignment');
    await visit(page, `${settings}/live/assignment`, 'Assignment');
    await page.getByLabel('New leads go to').selectOption('The chosen members in turn');
    await checkFaulty(page, 'Save', 'Assignment');
    await page.getByLabel(MEMBER).check();
    await send(page, 'Save');
    await page.getByRole('status').getByText('Changes saved.').waitFor();
    await check(page, 'Assignment');
  });

  test('the response target', async () => {
    await visit(page, `${settings}/live/response-target`, 'Response target');
    await page.getByLabel('Minutes until the first response').fill('soon');
    await checkFaulty(page, 'Save', 'Response target');
    await page.getByLabel('Minutes until the first response').fill('15');
    await send(page, 'Save');
    await page.getByRole('status').getByText('Changes saved.').waitFor();
    await check(page, 'Response target');
  });

  test('the channels', async () => {
    await visit(page, `${settings}/test/channels`, 'Channels');
    await visit(page, `${settings}/live/channels`, 'Channels');
    await page.getByRole('link', { name: 'Connect WhatsApp' }).click();
    await check(page, 'Connect WhatsApp');
    await checkFaulty(page, 'Connect', 'Connect WhatsApp');
    await page.getByLabel('Phone number ID').fill(CREDENTIALS.phoneNumberId);
    await page.getByLabel('WhatsApp business account ID').fill(CREDENTIALS.businessAccountId);
    await page.getByLabel('Access token').fill(CREDENTIALS.accessToken);
    await page.getByLabel('App secret').fill(CREDENTIALS.appSecret);
    const body = { type: 'BODY', text: 'Hi {{1}}, see you soon' };
    whatsApp.templates = ['APPROVED', 'PENDING'].map((status) => ({
      ...{ name: status.toLowerCase(), language: 'en', status, components: [body] },
    }));
    await send(page, 'Connect');
    await check(page, 'Channels');
    await send(page, 'Test the connection');
    await check(page, 'Channels');
    await send(page, 'Refresh');
    await check(page, 'Channels');
    await page.getByRole('link', { name: 'Disconnect' }).click();
    await check(page, 'Disconnect +1 555-078-3881?');
  });

  test('the audit log, whole and filtered', async () => {
    await visit(page, `${settings}/audit-log`, 'Audit log');
    await visit(page, `${settings}/audit-log?kind=api_key`, 'Audit log');
    await visit(page, `${settings}/audit-log?by=nobody`, 'Audit log');
  });

  test('errors', async () => {
    await visit(page, `${settings}/live/api-keys/unknown`, 'Page not found');
    await visit(page, await invite('cleo@example.com'), 'This invitation is for someone else');
    await page.goto(`${settings}/live/api-keys/new`);
    await page
      .locator('[name=csrfToken]')
      .last()
      .evaluate((field: HTMLInputElement) => (field.value = 'old'));
    await send(page, 'Create the key');
    await check(page, 'This form has expired');

    await sql(gala.databaseUrl, 'ALTER TABLE audit_log RENAME TO audit_log_away');
    await visit(page, `${settings}/audit-log`, 'Something went wrong on our side');
    await sql(gala.databaseUrl, 'ALTER TABLE audit_log_away RENAME TO audit_log');
  });

  test('the choice of a workspace', async () => {
    const { id } = await gala.createWorkspace('Harbour Hall');
    await memberOf(gala, id, ADMIN, 'admin');
    await visit(page, '/settings', 'Your workspaces');
  });

  test('their account', async () => {
    await visit(page, '/account', 'Your account');
    await checkFaulty(page, 'Change password', 'Your account');
    await visit(page, '/account?notice=password-changed', 'Your account');
  });

  test('two-factor sign-in', async () => {
    await visit(page, '/account/two-factor', 'Two-factor sign-in');
    await checkFaulty(page, 'Continue', 'Two-factor sign-in');
    await page.getByLabel('Password').fill(PASSWORD);
    await send(page, 'Continue');
    await check(page, 'Two-factor sign-in');
    const key = await page.getByRole('group', { name: 'Key' }).locator('code').innerText();
    const totp = new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) });
    await checkFaulty(page, 'Turn on', 'Two-factor sign-in');
    await page.getByLabel('Code', { exact: true }).fill(totp.generate({ timestamp: clock.now().getTime() }));
    await send(page, 'Turn on');
    await check(page, 'Your recovery codes');
    await visit(page, '/account/two-factor', 'Two-factor sign-in');
    await checkFaulty(page, 'Create new codes', 'Two-factor sign-in');
    await checkFaulty(page, 'Turn off two-factor sign-in', 'Two-factor sign-in');
    const elsewhere = await open(ADMIN);
    await check(elsewhere, 'Enter your code');
    await checkFaulty(elsewhere, 'Continue', 'Enter your code');
  });
});

describe('to a member', () => {
  let page: Page;
  beforeAll(async () => {
    page = await open(MEMBER);
  });

  test('what they may see', async () => {
    await visit(page, settings, 'Villa Aurora');
    await visit(page, `${settings}/workspace`, 'General');
    await visit(page, `${settings}/members`, 'Members');
    // Filled, and what clients see: with the proposals.
    await visit(page, `${settings}/live/pipeline`, 'Pipeline');
    await visit(page, `${settings}/live/proposals`, 'Proposals');
    const proposal = `${settings}/live/proposals/${workspace.draft}`;
    await visit(page, proposal, 'Wedding');
    await visit(page, `${proposal}/edit`, 'Edit proposal 1');
    await page.getByLabel('Price').first().fill('1,250.50');
    await checkFaulty(page, 'Save draft', 'Edit proposal 1');
    await visit(page, `${proposal}/images`, 'Images of proposal 1');
    await visit(page, `${proposal}/preview`, 'Wedding');
    await visit(page, `${settings}/live/proposals/new`, 'New proposal');
    await visit(page, `${proposal}/withdraw`, 'Withdraw the proposal?');
    await visit(page, `${proposal}/archive`, 'Archive the proposal?');
    await visit(page, `${settings}/live/figures`, 'Figures');
    await visit(page, `${settings}/live/figures/leads`, 'Counted leads');
    await visit(page, '/proposals/unknown', 'This proposal is not available');
  });

  test('what they may not', async () => {
    await visit(page, `${settings}/live/api-keys`, 'You don’t have access');
    await visit(page, consent, 'Allow Seating Planner to access your workspace?');
  });
});

test('to somebody without a workspace, that there is none, and an invitation', async () => {
  await get(Accounts).findOrAdd('dan@example.com');
  await givePassword(gala, 'dan@example.com');
  const page = await open('dan@example.com');
  await visit(page, '/settings', 'Your workspaces');
  await visit(page, await invite('dan@example.com'), 'Join Villa Aurora');
});

test('no page was forgotten', () => {
  const byDetail = Object.keys(PAGE_ROUTES).sort((a, b) => a.split(':').length - b.split(':').length);
  const visited = new Set(
    [...seen].map((call) =>
      byDetail.find((route) => new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`).test(call)),
    ),
  );
  const pages = byDetail.filter(
    (route) => route.startsWith('GET ') && route !== 'GET /' && !PAGE_ROUTES[route]!.isFile,
  );
  expect(pages.filter((route) => !visited.has(route))).toEqual([]);
});
