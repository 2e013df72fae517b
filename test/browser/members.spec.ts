import type { Browser, Page } from 'playwright-core';
import { Mailer } from '../../src/kernel/mailer';
import type { Role } from '../../src/kernel/role';
import {
  givePassword,
  launchBrowser,
  openBrowser,
  OWNER,
  PASSWORD,
  signIn,
  type Visitor,
} from '../support/browser';
import { Mailbox } from '../support/mailbox';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { memberOf } from '../workspaces/people';
import { fileNeeds } from '../support/requirements';

fileNeeds('browser');

let gala: TestGala;
let browser: Browser;
let workspace: TestWorkspace;
let owner: Page;
const visitors: Visitor[] = [];
const mailbox = new Mailbox();
beforeAll(async () => {
  const overrides = [{ provide: Mailer, useValue: mailbox }];
  [gala, browser] = await Promise.all([startGala({ overrides }), launchBrowser()]);
  await gala.createWorkspace('Garden Events');
  await givePassword(gala);
  owner = await open();
  await signIn(owner);
});
afterAll(async () => {
  await browser.close();
  await gala.stop();
});
beforeEach(async () => {
  workspace = await gala.createWorkspace('Villa Aurora');
});
afterEach(() => expect(visitors.flatMap(({ complaints }) => complaints)).toEqual([]));

/** Somebody else's browser. */
async function open(): Promise<Page> {
  const visitor = await openBrowser(browser, gala);
  visitors.push(visitor);
  return visitor.page;
}

const home = () => `/settings/${workspace.id}`;
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const row = (page: Page, email: string) => page.getByRole('row', { name: email });
const roleOf = (email: string) => owner.getByRole('combobox', { name: `Role of ${email}` });
const settingsLinks = (page: Page) =>
  page.getByRole('navigation', { name: 'Settings' }).getByRole('link').allTextContents();

/** Resolves to the path of the link that is shown. */
async function invite(email: string, role: string): Promise<string> {
  await owner.goto(`${home()}/members`);
  await owner.getByLabel('Email').fill(email);
  await owner.getByRole('combobox', { name: 'Role', exact: true }).selectOption({ label: role });
  await owner.getByRole('button', { name: 'Invite' }).click();
  await heading(owner, `${email} is invited`).waitFor();
  const link = await owner.getByRole('group', { name: 'Invitation link' }).locator('code').innerText();
  return new URL(link).pathname;
}

async function signedInAs(email: string, role: Role): Promise<Page> {
  await memberOf(gala, workspace.id, email, role);
  await givePassword(gala, email);
  const page = await open();
  await signIn(page, email);
  return page;
}

describe('an invitation', () => {
  test('lets someone choose a password and join, as what they were invited as', async () => {
    const path = await invite(
      'ana@example.com',
      'Member: pipeline, proposals, calendar and the list of members',
    );
    await owner.getByRole('link', { name: 'Back to members' }).click();
    await owner
      .getByRole('table', { name: 'Pending invitations' })
      .getByRole('rowheader', { name: 'ana@example.com' })
      .waitFor();

    const ana = await open();
    await ana.goto(path);
    await heading(ana, 'Join Villa Aurora').waitFor();
    await ana.getByText(`${OWNER} invites you, ana@example.com, as member.`).waitFor();
    await ana.getByRole('button', { name: 'Email me the link' }).click();
    await heading(ana, 'Check your email').waitFor();
    await ana.goto(mailbox.linkTo('ana@example.com'));
    await ana.getByLabel('Password').fill('short');
    await ana.getByRole('button', { name: 'Join' }).click();
    await ana.getByRole('alert').getByText('at least 12 characters').waitFor();
    await ana.getByLabel('Password').fill(PASSWORD);
    await ana.getByRole('button', { name: 'Join' }).click();

    await heading(ana, 'Villa Aurora').waitFor();
    expect(await settingsLinks(ana)).toEqual([
      'Overview',
      'Leads',
      'Pipeline',
      'Proposals',
      'Calendar',
      'Tasks',
      'Figures',
      'Files',
      'General',
      'Members',
    ]);
    expect((await ana.goto(`${home()}/live/api-keys`))?.status()).toBe(403);
    await ana.getByText('Only owners and admins of this workspace can see this page.').waitFor();

    await ana.goto(path);
    await heading(ana, 'This invitation no longer works').waitFor();
    await owner.reload();
    expect(await row(owner, 'ana@example.com').innerText()).toContain('Member');
    await owner.getByText('No pending invitations').waitFor();
  });

  test('doesn’t work once it is cancelled', async () => {
    const path = await invite(
      'ben@example.com',
      'Admin: sales data, keys, webhooks, apps, members and settings',
    );
    await owner.goto(`${home()}/members`);
    await owner.getByRole('button', { name: 'Cancel the invitation of ben@example.com' }).click();
    await owner.getByText('The invitation was cancelled.').waitFor();
    const ben = await open();
    await ben.goto(path);
    await heading(ben, 'This invitation no longer works').waitFor();
  });

  test('isn’t for whoever is signed in as somebody else', async () => {
    const path = await invite(
      'cleo@example.com',
      'Member: pipeline, proposals, calendar and the list of members',
    );
    await owner.goto(path);
    await heading(owner, 'This invitation is for someone else').waitFor();
  });
});

describe('a role', () => {
  test('counts from the next click on', async () => {
    const dan = await signedInAs('dan@example.com', 'member');
    await dan.goto(home());
    expect(await settingsLinks(dan)).not.toContain('API keys');

    await owner.goto(`${home()}/members`);
    await roleOf('dan@example.com').selectOption('Admin');
    await owner.getByRole('button', { name: 'Change the role of dan@example.com' }).click();
    await owner.getByText('The role was changed.').waitFor();

    await dan.getByRole('link', { name: 'Members' }).click();
    await dan.getByRole('link', { name: 'API keys' }).click();
    await heading(dan, 'API keys').waitFor();
  });

  test('of the last owner can’t be given up', async () => {
    await owner.goto(`${home()}/members`);
    await roleOf(OWNER).selectOption('Member');
    await owner.getByRole('button', { name: `Change the role of ${OWNER}` }).click();
    await owner.getByRole('alert').getByText('A workspace needs at least one owner.').waitFor();
    expect(await roleOf(OWNER).inputValue()).toBe('owner');
  });
});

test('a removal takes effect on the next click of the one removed', async () => {
  const eve = await signedInAs('eve@example.com', 'admin');
  await eve.goto(`${home()}/live/api-keys`);
  await owner.goto(`${home()}/members`);
  await owner.getByRole('link', { name: 'Remove eve@example.com' }).click();
  await heading(owner, 'Remove eve@example.com?').waitFor();
  await owner.getByRole('button', { name: 'Remove' }).click();
  await owner.getByText('The member was removed.').waitFor();
  expect(await row(owner, 'eve@example.com').count()).toBe(0);

  await eve.getByRole('link', { name: 'Create a live key' }).first().click();
  await heading(eve, 'Page not found').waitFor();
  await eve.goto('/settings');
  await eve.getByText('You don’t belong to a workspace yet').waitFor();
});

test('who belongs to several workspaces chooses one, and changes over by the menu in the header', async () => {
  const fay = await signedInAs('fay@example.com', 'admin');
  await heading(fay, 'Villa Aurora').waitFor();
  const [first, second] = [workspace, await gala.createWorkspace('Harbour Hall')];
  await memberOf(gala, second.id, 'fay@example.com', 'member');
  const changeFrom = async (name: string) => {
    await fay.getByRole('banner').getByRole('button', { name }).click();
    await fay.getByRole('link', { name: 'All your workspaces' }).click();
  };

  await changeFrom('Villa Aurora');
  await heading(fay, 'Your workspaces').waitFor();
  expect(await row(fay, 'Harbour Hall').innerText()).toContain('Member');
  await fay.getByRole('link', { name: 'Harbour Hall' }).click();
  await heading(fay, 'Harbour Hall').waitFor();
  expect(new URL(fay.url()).pathname).toBe(`/settings/${second.id}`);

  await changeFrom('Harbour Hall');
  await fay.getByRole('link', { name: 'Villa Aurora' }).click();
  await heading(fay, 'Villa Aurora').waitFor();
  expect(new URL(fay.url()).pathname).toBe(`/settings/${first.id}`);
});
