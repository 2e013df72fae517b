import { createServer, type Socket } from 'node:net';
import { MailRefused } from '../../src/kernel/mailer';
import { SmtpMailer } from '../../src/platform/mail/smtp-mailer';
import { SmtpReceiver } from '../support/smtp-receiver';

const FROM = 'Gala <no-reply@gala.test>';
const MAIL = { to: 'ana@example.com', subject: 'Choose a password', text: 'https://gala.test/secret-link\n' };

let receiver: SmtpReceiver;
let mailer: SmtpMailer;
beforeEach(async () => {
  receiver = await new SmtpReceiver().start();
  mailer = new SmtpMailer(receiver.url, FROM);
});
afterEach(async () => {
  await mailer.onApplicationShutdown();
  await receiver.stop();
});

/** What an attempt rejects with; undefined when the mail was sent. */
const attempt = (mail = MAIL, by = mailer): Promise<unknown> =>
  by.post(mail).then(
    () => undefined,
    (error: unknown) => error,
  );
const isRefused = (error: unknown) => error instanceof MailRefused;

const headersOf = (raw: string) => raw.split('\r\n\r\n')[0]!.replace(/\r\n[ \t]+/g, ' ');

test('a mail is delivered as text, from the configured address', async () => {
  await mailer.post({ ...MAIL, subject: 'Zoë lädt Sie ein', text: 'Grüße\nhttps://gala.test/link\n' });
  const [{ recipients, raw }] = (await receiver.holds(1)) as [{ recipients: string[]; raw: string }];
  expect(recipients).toEqual(['ana@example.com']);
  expect(headersOf(raw)).toMatch(/^From: Gala <no-reply@gala\.test>$/m);
  expect(headersOf(raw)).toMatch(/^To: ana@example\.com$/m);
  expect(headersOf(raw)).toMatch(/^Content-Type: text\/plain; charset=utf-8$/m);
  expect(raw).toContain('https://gala.test/link');
});

test('a mail has the same Message-ID in each attempt', async () => {
  for (let count = 0; count < 2; count++) await mailer.post({ ...MAIL, id: 'a-b-c' });
  const ids = (await receiver.holds(2)).map(({ raw }) => /^Message-ID: .*$/m.exec(headersOf(raw))![0]);
  expect(ids).toEqual(Array(2).fill('Message-ID: <a-b-c@gala.test>'));
});

test('a server that is away, doesn’t accept a mail now, or refuses the password may accept it later', async () => {
  receiver.refusal = { status: 451, message: 'try later' };
  const locked = new SmtpMailer(receiver.url.replace('//', '//gala:wrong@'), FROM);
  const errors = [await attempt(), await attempt(MAIL, locked)];
  receiver.refusal = undefined;
  await receiver.stop();
  errors.push(await attempt());
  expect(errors).toMatchObject([{ code: 'EENVELOPE' }, { code: 'EAUTH' }, { code: 'ESOCKET' }]);
  expect(errors.filter(isRefused)).toEqual([]);
  await receiver.start();
  expect(await attempt()).toBeUndefined();
  await receiver.holds(1);
  await locked.onApplicationShutdown();
});

test('a mail that the server refuses for good is not to be retried, and the error doesn’t quote it', async () => {
  receiver.refusal = { status: 550, message: `no mailbox for ${MAIL.to}` };
  const error = (await attempt()) as MailRefused;
  expect(error).toBeInstanceOf(MailRefused);
  expect(error.code).toBe(550);
  expect(error.message).not.toContain(MAIL.to);
});

test('what people typed makes no header, no recipient and no attachment', async () => {
  const line = 'Hall\r\nBcc: eve@evil.test\nX-Evil: 1\r\n\r\nbody\0';
  await mailer.post({ ...MAIL, subject: `${line} invites you`, text: '.\r\nMAIL FROM:<eve@evil.test>\r\n' });
  const [{ recipients, raw }] = (await receiver.holds(1)) as [{ recipients: string[]; raw: string }];
  expect(recipients).toEqual(['ana@example.com']);
  const names = headersOf(raw).match(/^[\w-]+(?=:)/gm)!;
  expect(names.sort()).toEqual([
    'Content-Transfer-Encoding',
    'Content-Type',
    'Date',
    'From',
    'MIME-Version',
    'Message-ID',
    'Subject',
    'To',
  ]);
});

test.each([
  '"ana@evil.test"@example.com',
  '"ana, eve@evil.test"@example.com',
  '"<eve@evil.test>"@example.com',
  'ana+tag@example.com',
])('the address %s is that one recipient, or refused by the server', async (to) => {
  const error = await attempt({ ...MAIL, to });
  if (error) expect(error).toBeInstanceOf(MailRefused);
  expect(receiver.received.flatMap(({ recipients }) => recipients)).toEqual(error ? [] : [to]);
});

test('nothing is sent to a server that hangs up in the middle', async () => {
  const sockets: Socket[] = [];
  const server = createServer(
    (socket) => sockets.push(socket.on('error', () => undefined)) && socket.end('220 '),
  );
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as { port: number };
  const other = new SmtpMailer(`smtp://127.0.0.1:${port}`, FROM);
  const error = await attempt(MAIL, other);
  expect(error).toHaveProperty('code');
  expect(isRefused(error)).toBe(false);
  await other.onApplicationShutdown();
  server.close();
});
