import { Clock } from '../../src/kernel/clock';
import { MailPreferences } from '../../src/modules/tasks/application/mail-preferences';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { browserOf, newEmail } from '../support/people';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { memberOf } from '../workspaces/people';
import { createTask } from './support';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let page: string;
beforeAll(async () => {
  gala = await startGala({ overrides: [{ provide: Clock, useValue: new FakeClock() }] });
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  page = `/settings/${workspace.id}/live/tasks`;
});
afterAll(() => gala.stop());

/** The texts of the table, row by row. */
const rowsOf = (html: string) =>
  [...html.matchAll(/<tr role="row">(.*?)<\/tr>/gs)]
    .slice(1)
    .map(([, row]) => row!.replace(/<[^>]*>/g, '|').replace(/\|[\s|]*/g, '|'));

test('shows open tasks, whose they are and which are overdue', async () => {
  const email = newEmail();
  const { id: assigneeId } = await memberOf(gala, workspace.id, email, 'member');
  await createTask(client, { title: 'Call <Ana>', dueOn: '2027-01-14', assigneeId });
  await createTask(client, { title: 'Send the menu', dueAt: '2027-02-01T16:00:00Z' });
  await createTask(client, { title: 'Some day' });
  const { id } = await createTask(client, { title: 'Done' });
  await client.post(`/v1/tasks/${id}/complete`);
  const browser = await browserOf(gala, email);
  const all = (await browser.get(page)).text;
  expect(rowsOf(all)).toEqual([
    `|Call &lt;Ana>|14 Jan|Overdue|${email}|Done|Call &lt;Ana>|`,
    '|Send the menu|1 Feb, 17:00|Nobody|Done|Send the menu|',
    '|Some day|No due time |Nobody|Done|Some day|',
  ]);
  expect(rowsOf((await browser.get(`${page}?view=mine`)).text)).toHaveLength(1);
  const test = await browser.get(page.replace('live', 'test'));
  expect(test.text).toContain('No open tasks');
});

test('more tasks follow on further pages', async () => {
  for (let number = 10; number < 61; number++) await createTask(client, { title: `Task ${number}` });
  const browser = await browserOf(gala, workspace.ownerEmail);
  const first = (await browser.get(page)).text;
  const [, next] = /href="([^"]*cursor=[^"]*)"/.exec(first)!;
  const second = (await browser.get(next!.replaceAll('&amp;', '&'))).text;
  expect([rowsOf(first).length, rowsOf(second).length]).toEqual([50, 1]);
});

test('members switch emails about their own tasks off and on', async () => {
  const email = newEmail();
  const { id } = await memberOf(gala, workspace.id, email, 'member');
  const browser = await browserOf(gala, email);
  const wants = () => gala.app.get(MailPreferences, { strict: false }).wantsMails(workspace.id, id);
  const isChecked = async () => /<input[^>]*name="emails"[^>]*checked/.test((await browser.get(page)).text);
  expect([await wants(), await isChecked()]).toEqual([true, true]);
  const saved = await browser.submit(`${page}/emails`, {}, { on: page });
  expect(saved).toMatchObject({ status: 303, headers: { location: `${page}?notice=saved` } });
  expect([await wants(), await isChecked()]).toEqual([false, false]);
  await browser.submit(`${page}/emails`, { emails: 'yes' }, { on: page });
  expect([await wants(), await isChecked()]).toEqual([true, true]);
});

test('a button completes a task, in the view of the visitor, and another reopens it', async () => {
  const { id } = await createTask(client, { title: 'Send the menu' });
  const other = await createTask(client, { title: 'Some day' });
  const browser = await browserOf(gala, workspace.ownerEmail);
  const done = await browser.submit(`${page}/${id}/complete`, { view: 'mine' }, { on: page });
  expect(done).toMatchObject({ status: 303, headers: { location: `${page}?view=mine&notice=done` } });
  expect((await client.get(`/v1/tasks/${id}`)).body).toMatchObject({ status: 'done' });
  expect(rowsOf((await browser.get(page)).text)).toEqual([expect.stringContaining('Some day')]);
  const list = `${page}?view=done`;
  expect(rowsOf((await browser.get(list)).text)).toEqual([
    expect.stringMatching(/^\|Send the menu\|No due time \|Nobody\|15 Jan, 10:30\|Reopen\|/),
  ]);
  const reopened = await browser.submit(`${page}/${id}/reopen`, { view: 'done' }, { on: list });
  expect(reopened).toMatchObject({ status: 303, headers: { location: `${list}&notice=reopened` } });
  expect(rowsOf((await browser.get(page)).text)).toHaveLength(2);
  expect((await browser.get(list)).text).toContain('No completed tasks');
  for (const missing of [
    `${page}/task_nope/complete`,
    `${page.replace('live', 'test')}/${other.id}/complete`,
  ]) {
    expect((await browser.submit(missing, {}, { on: page })).status).toBe(404);
  }
});

test('a full page stays light', async () => {
  for (let number = 0; number < 50; number++)
    await createTask(client, { title: `${'x'.repeat(100)}${number}` });
  const browser = await browserOf(gala, workspace.ownerEmail);
  expect(Buffer.byteLength((await browser.get(page)).text)).toBeLessThan(100 * 1024);
});
