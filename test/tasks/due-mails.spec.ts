import { Clock } from '../../src/kernel/clock';
import { toUuid, type UserId } from '../../src/kernel/ids';
import { Mailer } from '../../src/kernel/mailer';
import { MailPreferences } from '../../src/modules/tasks/application/mail-preferences';
import { DueJob } from '../../src/modules/tasks/infrastructure/due-job';
import { RemoveMember } from '../../src/modules/workspaces';
import { allEvents } from '../support/events';
import { FakeClock } from '../support/fake-clock';
import type { Client } from '../support/http-client';
import { Mailbox } from '../support/mailbox';
import { newEmail } from '../support/people';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { eventually } from '../support/until';
import { memberOf, ownerOf } from '../workspaces/people';
import { createTask } from './support';

const DUE = { dueAt: '2027-01-15T09:00:00.000Z' };

let mailbox: Mailbox;
let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let email: string;
let eva: UserId;
beforeAll(async () => {
  mailbox = new Mailbox();
  gala = await startGala({
    overrides: [
      { provide: Mailer, useValue: mailbox },
      { provide: Clock, useValue: new FakeClock() },
    ],
  });
});
beforeEach(async () => {
  workspace = await gala.createWorkspace('Garden Events');
  client = await workspace.client();
  email = newEmail();
  eva = (await memberOf(gala, workspace.id, email, 'member')).id;
});
afterAll(() => gala.stop());

const announce = (instance = gala) => instance.app.get(DueJob, { strict: false }).announceAll();
const preferences = () => gala.app.get(MailPreferences, { strict: false });
const announced = async () =>
  (await allEvents(gala, workspace.id)).filter(({ type }) => type === 'task.due').length;
/** Mails go out one by one after the commit: when this one is there, so are those before it. */
const mailsTo = (address: string, count: number) =>
  eventually(() => {
    const mails = mailbox.to(address);
    expect(mails).toHaveLength(count);
    return mails;
  });
const waiting = async () => (await sql(gala.databaseUrl, 'SELECT FROM outgoing_mails')).length;

test('the assignee gets one email for the tasks that fall due together, others get theirs', async () => {
  const owner = await ownerOf(gala);
  const before = mailbox.to(owner.name).length;
  await createTask(client, { ...DUE, title: 'Send the menu', assigneeId: eva });
  await createTask(client, { title: 'Call back', dueOn: '2027-01-15', assigneeId: eva });
  await createTask(client, { ...DUE, title: 'Taste the wine', assigneeId: owner.id });
  await createTask(client, { ...DUE, title: 'Nobody’s' });
  await announce();
  const [mail] = await mailsTo(email, 1);
  expect(mail).toMatchObject({ subject: '2 tasks are due' });
  expect(mail!.text).toContain('Your tasks in Garden Events:');
  expect(mail!.text).toContain('- Send the menu (2027-01-15 10:00)');
  expect(mail!.text).toContain('- Call back (2027-01-15)');
  const mails = await mailsTo(owner.name, before + 1);
  expect(mails.at(-1)!.subject).toBe('Task due: Taste the wine');
  await announce();
  await eventually(async () => expect(await waiting()).toBe(0));
  expect(mailbox.to(email)).toHaveLength(1);
});

test('of very many tasks too, and among those of others, each gets one email', async () => {
  const owner = await ownerOf(gala);
  const before = mailbox.to(owner.name).length;
  const late = { dueAt: '2027-01-15T09:00:00.001Z' };
  for (const fields of [
    { ...DUE, assigneeId: eva },
    { ...DUE, assigneeId: owner.id },
    { ...late, assigneeId: eva },
  ]) {
    const { id } = await createTask(client, fields);
    await sql(
      gala.databaseUrl,
      `INSERT INTO tasks (workspace_id, mode, id, title, due_at, announced_from, overdue_at, is_announced, assignee_id,
         status, created_at, updated_at, revision)
       SELECT workspace_id, mode, gen_random_uuid(), title, due_at, announced_from, overdue_at, is_announced, assignee_id,
         status, created_at, updated_at, revision
       FROM tasks, generate_series(1, 249) WHERE id = $1`,
      [toUuid(id as `task_${string}`)],
    );
  }
  await announce();
  await mailsTo(owner.name, before + 1);
  const [mail] = await mailsTo(email, 1);
  expect(mail).toMatchObject({ subject: '500 tasks are due' });
  expect(await announced()).toBe(750);
  await eventually(async () => expect(await waiting()).toBe(0));
  expect(mailbox.to(email)).toHaveLength(1);
});

test('there is none in test mode, and none for whoever wants none', async () => {
  const test = await workspace.client('test');
  await createTask(test, { ...DUE, assigneeId: eva });
  await preferences().set(workspace.id, eva, false);
  await preferences().set(workspace.id, eva, false);
  await createTask(client, { ...DUE, assigneeId: eva });
  await announce();
  expect([await announced(), await waiting(), mailbox.to(email)]).toEqual([2, 0, []]);
  await preferences().set(workspace.id, eva, true);
  await createTask(client, { ...DUE, assigneeId: eva });
  await announce();
  await mailsTo(email, 1);
});

test('the preference is of one workspace, and ends with the membership', async () => {
  const other = await gala.createWorkspace();
  await memberOf(gala, other.id, email, 'member');
  await preferences().set(workspace.id, eva, false);
  expect(await preferences().wantsMails(workspace.id, eva)).toBe(false);
  expect(await preferences().wantsMails(other.id, eva)).toBe(true);
  const owner = await ownerOf(gala);
  await gala.app.get(RemoveMember, { strict: false }).execute(workspace.id, owner, eva);
  await preferences().set(workspace.id, eva, false);
  await memberOf(gala, workspace.id, email, 'member');
  expect(await preferences().wantsMails(workspace.id, eva)).toBe(true);
});

test('a workspace with too many waiting emails gets its events all the same', async () => {
  await createTask(client, { ...DUE, assigneeId: eva });
  await sql(
    gala.databaseUrl,
    `INSERT INTO outgoing_mails (id, lane, sealed_mail, next_attempt_at, created_at, expires_at)
     SELECT gen_random_uuid(), $1, '\\x00', '2100-01-01', now(), '2100-01-01' FROM generate_series(1, 5000)`,
    [workspace.id],
  );
  await announce();
  await sql(gala.databaseUrl, 'DELETE FROM outgoing_mails');
  expect([await announced(), mailbox.to(email)]).toEqual([1, []]);
});

test('without a mail server nothing is queued', async () => {
  const silent = await startGala({
    databaseUrl: gala.databaseUrl,
    overrides: [
      { provide: Mailer, useValue: new Mailbox(false) },
      { provide: Clock, useValue: new FakeClock() },
    ],
  });
  try {
    await createTask(client, { ...DUE, assigneeId: eva });
    await announce(silent);
    expect([await announced(), await waiting()]).toEqual([1, 0]);
  } finally {
    await silent.stop();
  }
});
