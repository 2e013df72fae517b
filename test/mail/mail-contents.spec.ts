import { randomBytes } from 'node:crypto';
import { Clock } from '../../src/kernel/clock';
import { MailQueue } from '../../src/kernel/mail-queue';
import { Mailer, MailRefused } from '../../src/kernel/mailer';
import { UnitOfWork } from '../../src/kernel/unit-of-work';
import type { Configuration } from '../../src/platform/config/configuration';
import { SecretBox } from '../../src/platform/encryption/secret-box';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import { Retention } from '../../src/platform/jobs/retention';
import { FakeClock } from '../support/fake-clock';
import { Mailbox } from '../support/mailbox';
import { PageClient } from '../support/page-client';
import { browserOf, newEmail, someone, workspaceOf } from '../support/people';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { dumpTables } from '../support/table-dump';
import { eventually, until } from '../support/until';
import { ControlledMailer } from './controlled-mailer';

const HOUR = 3600;
const DAY = 24 * HOUR;
const AWAY = () =>
  Promise.reject(Object.assign(new Error('421 ana@example.com: away'), { responseCode: 421 }));

let clock: FakeClock;
let mailer: ControlledMailer;
const running: TestGala[] = [];
beforeEach(() => {
  clock = new FakeClock();
  mailer = new ControlledMailer(AWAY);
});
afterEach(async () => {
  for (const gala of running.splice(0).reverse()) await gala.stop();
});

async function start(
  configuration: Partial<Configuration> = {},
  databaseUrl?: string,
  sender: Mailer = mailer,
) {
  const overrides = [
    { provide: Mailer, useValue: sender },
    { provide: Clock, useValue: clock },
  ];
  const gala = await startGala({ configuration, databaseUrl, overrides });
  running.push(gala);
  return gala;
}
const startJobs = ({ app }: TestGala) => app.get(BackgroundJobs).start();
const askForLink = (gala: TestGala, email: string) =>
  new PageClient(gala.baseUrl).submit('/password-reset', { email }, { on: '/password-reset' });
const rows = ({ databaseUrl }: TestGala) =>
  sql<{ sealed_mail: Buffer | null; failure: string | null; attempts: number }>(
    databaseUrl,
    'SELECT sealed_mail, failure, attempts FROM outgoing_mails',
  );

test('neither the database nor the log holds what a waiting mail says, or to whom', async () => {
  const gala = await start();
  const guest = newEmail();
  const { email } = await someone(gala);
  const path = `/settings/${await workspaceOf(gala, email)}/members`;
  const owner = await browserOf(gala, email);
  await owner.submit(`${path}/invitations`, { email: guest, role: 'member' }, { on: path });
  await askForLink(gala, email);
  await eventually(async () => expect((await rows(gala)).map(({ attempts }) => attempts)).toEqual([1, 1]));
  const mails = (await dumpTables(gala.databaseUrl)).get('outgoing_mails')!;
  const everything = [...(await dumpTables(gala.databaseUrl)).values()].join('\n');
  for (const { to, subject, text } of mailer.posted) {
    const [link] = /https?:\S+/.exec(text)!;
    const token = link.split('/').at(-1)!;
    const sealed = [token, Buffer.from(token).toString('hex')];
    for (const secret of [...sealed, subject, Buffer.from(subject).toString('hex')]) {
      expect(everything).not.toContain(secret);
    }
    for (const form of [to, Buffer.from(to).toString('hex')]) expect(mails).not.toContain(form);
    const logged = gala.logged.filter((line) => line.includes('an email could not be sent yet')).join('\n');
    expect(logged).toContain('421');
    for (const content of [to, subject, token, 'ana@example.com']) expect(logged).not.toContain(content);
  }
});

test('a mail whose link has expired isn’t sent', async () => {
  const gala = await start();
  const { email } = await someone(gala);
  await askForLink(gala, email);
  await eventually(async () => expect(await rows(gala)).toEqual([expect.objectContaining({ attempts: 1 })]));
  clock.advance(HOUR);
  mailer.attempt = () => undefined;
  startJobs(gala);
  await eventually(async () =>
    expect(await rows(gala)).toEqual([{ sealed_mail: null, failure: 'expired', attempts: 1 }]),
  );
  expect(mailer.posted).toHaveLength(1);
});

test('an invitation is tried for as long as its link works', async () => {
  const gala = await start();
  const guest = newEmail();
  const { email } = await someone(gala);
  const path = `/settings/${await workspaceOf(gala, email)}/members`;
  const owner = await browserOf(gala, email);
  await owner.submit(`${path}/invitations`, { email: guest, role: 'member' }, { on: path });
  await eventually(async () => expect(await rows(gala)).toEqual([expect.objectContaining({ attempts: 1 })]));
  clock.advance(7 * DAY - 60);
  mailer.attempt = () => undefined;
  startJobs(gala);
  await until(() => mailer.to(guest).length === 2);
  await eventually(async () => expect(await rows(gala)).toEqual([]));
});

test('a refused mail isn’t retried; the reason is kept for a week, without the content', async () => {
  mailer.attempt = () => Promise.reject(new MailRefused(550));
  const gala = await start();
  const { email } = await someone(gala);
  await askForLink(gala, email);
  const failed = { sealed_mail: null, failure: '550', attempts: 1 };
  await eventually(async () => expect(await rows(gala)).toEqual([failed]));
  const [line] = gala.logged.filter((each) => each.includes('an email could not be sent'));
  expect(JSON.parse(line!)).toMatchObject({ reason: '550', attempts: 1 });
  startJobs(gala);
  clock.advance(7 * DAY - 1);
  const clear = () => gala.app.get(Retention, { strict: false }).clear();
  await clear();
  expect(await rows(gala)).toEqual([failed]);
  clock.advance(2);
  await clear();
  expect(await rows(gala)).toEqual([]);
  expect(mailer.posted).toHaveLength(1);
});

test('a stranger’s address leaves no mail', async () => {
  const gala = await start();
  await askForLink(gala, newEmail());
  expect(await rows(gala)).toEqual([]);
  expect(mailer.posted).toEqual([]);
});

test('a mail that waits while the encryption key is rotated is sent with the new key', async () => {
  const [OLD, NEW] = [randomBytes(32), randomBytes(32)];
  const gala = await start({ encryptionKey: OLD });
  const mail = { to: newEmail(), subject: 'Hello', text: 'A text.\n' };
  await gala.app.get(MailQueue, { strict: false }).add(mail);
  await eventually(async () => expect(await rows(gala)).toEqual([expect.objectContaining({ attempts: 1 })]));
  const both = await start({ encryptionKey: NEW, previousEncryptionKey: OLD }, gala.databaseUrl);
  const unitOfWork = both.app.get(UnitOfWork, { strict: false });
  await both.app.get(SecretBox, { strict: false }).rotate((work) => unitOfWork.run(work));
  const mailbox = new Mailbox();
  const later = await start({ encryptionKey: NEW }, gala.databaseUrl, mailbox);
  clock.advance(2);
  startJobs(later);
  await until(() => mailbox.mails.length === 1);
  expect(mailbox.mails).toEqual([expect.objectContaining(mail)]);
});

test('operators see how many mails wait and have failed', async () => {
  const gala = await start({ metrics: { token: 'metrics-token-of-the-tests' } });
  mailer.attempt = ({ to }) => (to === 'eve@example.com' ? Promise.reject(new MailRefused(550)) : AWAY());
  const queue = gala.app.get(MailQueue, { strict: false });
  for (const to of ['ana@example.com', 'ben@example.com', 'eve@example.com']) {
    await queue.add({ to, subject: 'Hello', text: '' });
  }
  const headers = { Authorization: 'Bearer metrics-token-of-the-tests' };
  await eventually(async () => {
    const { text } = await gala.anonymous.get('/metrics', { headers });
    for (const line of [
      'gala_mails_waiting 2',
      'gala_mails_failed 1',
      'gala_mail_attempts_total{outcome="failed"} 2',
      'gala_mail_attempts_total{outcome="refused"} 1',
    ])
      expect(text.split('\n')).toContain(line);
  });
});
