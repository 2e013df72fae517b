import { createServer, type Socket } from 'node:net';
import { SmtpMailer } from '../../src/platform/mail/smtp-mailer';
import { SmtpReceiver } from '../support/smtp-receiver';

const FROM = 'Gala <no-reply@gala.test>';
const MAIL = { to: 'ana@example.com', subject: 'Choose a password', text: 'https://gala.test/secret-link\n' };

let receiver: SmtpReceiver;
let mailer: SmtpMailer;
let logged: string[];
beforeEach(async () => {
  receiver = await new SmtpReceiver().start();
  logged = [];
  const record = (...entry: unknown[]) => void logged.push(JSON.stringify(entry));
  const logger = { debug: record, info: record, warn: record, error: record };
  mailer = new SmtpMailer(receiver.url, FROM, logger);
});
afterEach(async () => {
  await mailer.onApplicationShutdown();
  await receiver.stop();
});

const headersOf = (raw: string) => raw.split('\r\n\r\n')[0]!.replace(/\r\n[ \t]+/g, ' ');

test('a mail is delivered as text, from the configured address', async () => {
  mailer.post({ ...MAIL, subject: 'Zoë lädt Sie ein', text: 'Grüße\nhttps://gala.test/link\n' });
  const [{ recipients, raw }] = (await receiver.holds(1)) as [{ recipients: string[]; raw: string }];
  expect(recipients).toEqual(['ana@example.com']);
  expect(headersOf(raw)).toMatch(/^From: Gala <no-reply@gala\.test>$/m);
  expect(headersOf(raw)).toMatch(/^To: ana@example\.com$/m);
  expect(headersOf(raw)).toMatch(/^Content-Type: text\/plain; charset=utf-8$/m);
  expect(raw).toContain('https://gala.test/link');
  expect(logged).toEqual([]);
});

test('a mail is tried again when the server was away', async () => {
  await receiver.stop();
  mailer.post(MAIL);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await receiver.start();
  await receiver.holds(1);
  expect(logged).toEqual([]);
});

test('a mail is tried again when the server says that it can’t now', async () => {
  receiver.refusal = { status: 451, message: 'try later' };
  mailer.post(MAIL);
  while (receiver.refused === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  receiver.refusal = undefined;
  await receiver.holds(1);
});

test('a mail that the server refuses for good is given up, and logged without its content', async () => {
  receiver.refusal = { status: 550, message: `no mailbox for ${MAIL.to}` };
  mailer.post(MAIL);
  while (logged.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(receiver.refused).toBe(1);
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain('550');
  for (const content of [MAIL.to, 'secret-link']) expect(logged[0]).not.toContain(content);
});

test('what people typed makes no header, no recipient and no attachment', async () => {
  const line = 'Hall\r\nBcc: eve@evil.test\nX-Evil: 1\r\n\r\nbody\0';
  mailer.post({ ...MAIL, subject: `${line} invites you`, text: '.\r\nMAIL FROM:<eve@evil.test>\r\n' });
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
  mailer.post({ ...MAIL, to });
  while (logged.length + receiver.received.length === 0)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(receiver.received.flatMap(({ recipients }) => recipients)).toEqual(logged.length ? [] : [to]);
});

test('a stop waits for what is under way, and no longer than one more try', async () => {
  receiver.refusal = { status: 451, message: 'try later' };
  mailer.post(MAIL);
  while (receiver.refused === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await mailer.onApplicationShutdown();
  expect([1, 2]).toContain(receiver.refused);
  expect(logged).toHaveLength(1);
});

test('nothing is sent to a server that hangs up in the middle', async () => {
  const sockets: Socket[] = [];
  const server = createServer(
    (socket) => sockets.push(socket.on('error', () => undefined)) && socket.end('220 '),
  );
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as { port: number };
  const other = new SmtpMailer(`smtp://127.0.0.1:${port}`, FROM, {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: (...entry: unknown[]) => void logged.push(JSON.stringify(entry)),
  });
  other.post(MAIL);
  await other.onApplicationShutdown();
  expect(logged).toHaveLength(1);
  expect(logged[0]).not.toContain('secret-link');
  server.close();
});
