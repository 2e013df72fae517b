import { setTimeout as sleep } from 'node:timers/promises';
import { Clock } from '../../src/kernel/clock';
import { RateLimited } from '../../src/kernel/errors';
import { newId, type WorkspaceId } from '../../src/kernel/ids';
import { MailQueue } from '../../src/kernel/mail-queue';
import { type Mail, Mailer } from '../../src/kernel/mailer';
import { UnitOfWork } from '../../src/kernel/unit-of-work';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import { FakeClock } from '../support/fake-clock';
import { Mailbox } from '../support/mailbox';
import { PageClient } from '../support/page-client';
import { newEmail, someone } from '../support/people';
import { SmtpReceiver } from '../support/smtp-receiver';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { eventually, until } from '../support/until';
import { ControlledMailer } from './controlled-mailer';

const LEASE = 75;

const running: TestGala[] = [];
afterEach(async () => {
  for (const gala of running.splice(0).reverse()) await gala.stop();
});

async function start(options: Parameters<typeof startGala>[0] = {}, background = true): Promise<TestGala> {
  const gala = await startGala(options);
  running.push(gala);
  if (background) gala.app.get(BackgroundJobs).start();
  return gala;
}
const withMailer = (mailer: Mailer, clock: Clock = new FakeClock()) => ({
  overrides: [
    { provide: Mailer, useValue: mailer },
    { provide: Clock, useValue: clock },
  ],
});
const queueOf = ({ app }: TestGala) => app.get(MailQueue, { strict: false });
const mailTo = (to: string): Mail => ({ to, subject: 'Hello', text: 'A text.\n' });
const askForLink = (gala: TestGala, email: string) =>
  new PageClient(gala.baseUrl).submit('/password-reset', { email }, { on: '/password-reset' });
const rows = ({ databaseUrl }: TestGala) => sql(databaseUrl, 'SELECT * FROM outgoing_mails');
const hang = () => new Promise<void>(() => undefined);

test('a mail that the server doesn’t accept now is retried, and arrives once', async () => {
  const receiver = await new SmtpReceiver().start();
  const gala = await start({ configuration: { mail: { from: 'gala@gala.test', smtpUrl: receiver.url } } });
  receiver.refusal = { status: 451, message: 'try later' };
  const { email } = await someone(gala);
  expect((await askForLink(gala, email)).status).toBe(200);
  await until(() => receiver.refused >= 1);
  receiver.refusal = undefined;
  await receiver.holds(1);
  await eventually(async () => expect(await rows(gala)).toEqual([]));
  expect(receiver.received.map(({ recipients }) => recipients)).toEqual([[email]]);
  expect((await receiver.linkTo(email, /^\/password-reset\//)).pathname).toMatch(/reset\/[\w-]{43}$/);
  await receiver.stop();
});

test('a mail that the process couldn’t send before it ended is sent by another one, under the same id', async () => {
  const clock = new FakeClock();
  let end!: () => void;
  const first = new ControlledMailer(() => new Promise((resolve) => (end = resolve)));
  const gala = await start(withMailer(first, clock), false);
  const { email } = await someone(gala);
  await askForLink(gala, email);
  expect(first.to(email)).toHaveLength(1);

  const mailbox = new Mailbox();
  const other = await start({ databaseUrl: gala.databaseUrl, ...withMailer(mailbox, clock) });
  await sleep(1500);
  expect(mailbox.mails).toEqual([]);
  clock.advance(LEASE);
  await until(() => mailbox.mails.length > 0);
  expect(mailbox.mails).toEqual(first.posted);
  expect(mailbox.mails[0]!.id).toMatch(/^[\da-f-]{36}$/);
  await eventually(async () => expect(await rows(other)).toEqual([]));
  end();
});

test('a shutdown waits for the attempt in progress', async () => {
  let end!: () => void;
  const mailer = new ControlledMailer(() => new Promise((resolve) => (end = resolve)));
  const keeper = await start({}, false);
  const gala = await startGala({ databaseUrl: keeper.databaseUrl, ...withMailer(mailer) });
  await queueOf(gala).add(mailTo('ana@example.com'));
  let hasStopped = false;
  const stopping = gala.stop().then(() => (hasStopped = true));
  await sleep(200);
  expect(hasStopped).toBe(false);
  end();
  await stopping;
  expect(await rows(keeper)).toEqual([]);
});

test('a mail belongs to the unit of work that adds it', async () => {
  const mailer = new ControlledMailer();
  const gala = await start(withMailer(mailer));
  const unitOfWork = gala.app.get(UnitOfWork, { strict: false });
  const refused = unitOfWork.run(async () => {
    await queueOf(gala).add(mailTo('never@example.com'));
    throw new Error('no');
  });
  await expect(refused).rejects.toThrow('no');
  await unitOfWork.run(async () => {
    await queueOf(gala).add(mailTo('ana@example.com'));
    expect(mailer.posted).toEqual([]);
  });
  expect(mailer.posted.map(({ to }) => to)).toEqual(['ana@example.com']);
});

test('a recipient or workspace whose mails hang holds up nobody else', async () => {
  const broken = newEmail();
  const workspaceId: WorkspaceId = newId('ws');
  const ends: (() => void)[] = [];
  const mailer = new ControlledMailer(({ subject }) =>
    subject === 'Slow' ? new Promise((resolve) => ends.push(resolve)) : undefined,
  );
  const gala = await start(withMailer(mailer));
  const queue = queueOf(gala);
  for (let count = 0; count < 12; count++) {
    await queue.add({ ...mailTo(broken), subject: 'Slow' });
    await queue.add({ ...mailTo(newEmail()), subject: 'Slow' }, { workspaceId });
  }
  await sleep(1500);
  expect(mailer.underWay).toBe(10);
  await queue.add(mailTo('ana@example.com'));
  await until(() => mailer.to('ana@example.com').length === 1);
  const finish = setInterval(() => ends.splice(0).forEach((end) => end()), 20);
  await eventually(async () => expect(await rows(gala)).toEqual([]));
  clearInterval(finish);
  expect(mailer.posted).toHaveLength(25);
});

test('many mails at once are sent a few at a time, each once', async () => {
  const mailer = new ControlledMailer(() => sleep(30));
  const gala = await start(withMailer(mailer));
  const recipients = Array.from({ length: 120 }, newEmail);
  await gala.app.get(UnitOfWork, { strict: false }).run(async () => {
    for (const recipient of recipients) await queueOf(gala).add(mailTo(recipient));
  });
  await eventually(async () => expect(await rows(gala)).toEqual([]));
  expect(mailer.posted.map(({ to }) => to).sort()).toEqual(recipients.sort());
  expect(mailer.mostUnderWay).toBeLessThanOrEqual(20);
});

test('to one recipient 100 mails wait at most; the next one is dropped, and fails nothing', async () => {
  const gala = await start(withMailer(new ControlledMailer(() => Promise.reject(new Error('away')))), false);
  const { email } = await someone(gala);
  for (let count = 0; count < 100; count++) await queueOf(gala).add(mailTo(email.toUpperCase()));
  await eventually(async () => expect(await rows(gala)).toHaveLength(100));
  expect((await askForLink(gala, email)).status).toBe(200);
  expect(await rows(gala)).toHaveLength(100);
  expect(gala.logged.filter((line) => line.includes('an email was dropped'))).toHaveLength(1);
});

test('of one workspace 5,000 mails wait at most; the next one is refused', async () => {
  const mailer = new ControlledMailer(hang);
  const gala = await start(withMailer(mailer), false);
  const workspaceId: WorkspaceId = newId('ws');
  await sql(
    gala.databaseUrl,
    `INSERT INTO outgoing_mails (id, lane, sealed_mail, next_attempt_at, created_at, expires_at)
     SELECT gen_random_uuid(), $1, '', now(), now(), now() FROM generate_series(1, 5000)`,
    [workspaceId],
  );
  await expect(queueOf(gala).add(mailTo(newEmail()), { workspaceId })).rejects.toThrow(RateLimited);
  expect(mailer.posted).toEqual([]);
});
