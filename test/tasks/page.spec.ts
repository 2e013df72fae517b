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
    `|Call &lt;Ana>|14 Jan|Overdue|${email}|`,
    '|Send the menu|1 Feb, 17:00|Nobody|',
    '|Some day|No due time |Nobody|',
  ]);
  expect(rowsOf((await browser.get(`${page}?assignee=me`)).text)).toHaveLength(1);
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
