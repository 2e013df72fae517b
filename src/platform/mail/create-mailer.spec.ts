import type { Configuration } from '../config/configuration';
import type { Logger } from '../logging/logger';
import { createMailer } from './create-mailer';
import { ConsoleMailer, NoMailer } from './local-mailers';
import { SmtpMailer } from './smtp-mailer';

const MAIL = { to: 'ana@example.com', subject: 'Choose a password', text: 'https://gala.test/secret-link\n' };

let warnings: string[];
let shown: string;
beforeEach(() => {
  warnings = [];
  shown = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((shown += String(text))));
});
afterEach(() => jest.restoreAllMocks());

function mailerOf(publicUrl: string, smtpUrl?: string) {
  const configuration = { publicUrl: new URL(publicUrl), mail: { from: 'gala@gala.test', smtpUrl } };
  const logger = { warn: (...entry: unknown[]) => void warnings.push(JSON.stringify(entry)) };
  return createMailer(configuration as Configuration, logger as Logger);
}

test.each(['http://localhost:3000', 'https://localhost:3443/gala', 'http://127.0.0.1', 'http://[::1]:3000'])(
  'without an SMTP server, %s prints emails on the console',
  async (publicUrl) => {
    const mailer = mailerOf(publicUrl);
    expect(mailer).toBeInstanceOf(ConsoleMailer);
    expect(mailer.canSend).toBe(true);
    expect(mailer.reach).toBe('console');
    await mailer.post(MAIL);
    expect(shown).toContain('  | To: ana@example.com\n');
    expect(shown).toContain('  | https://gala.test/secret-link\n');
  },
);

test.each([
  'https://gala.test',
  'http://10.0.0.5:3000',
  'http://localhost.evil.test',
  'http://127.0.0.1.evil.test',
  'http://my-localhost',
])('without an SMTP server, %s sends none and writes no link anywhere', async (publicUrl) => {
  const mailer = mailerOf(publicUrl);
  expect(mailer).toBeInstanceOf(NoMailer);
  expect(mailer.canSend).toBe(false);
  expect(mailer.reach).toBe('nowhere');
  await mailer.post(MAIL);
  expect(shown).toBe('');
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('SMTP_URL');
  for (const content of ['secret-link', MAIL.to]) expect(warnings[0]).not.toContain(content);
});

test('an SMTP server is used for local and public addresses', () => {
  for (const publicUrl of ['http://localhost:3000', 'https://gala.test']) {
    const mailer = mailerOf(publicUrl, 'smtp://mail.gala.test');
    expect(mailer).toBeInstanceOf(SmtpMailer);
    expect(mailer.reach).toBe('mailbox');
  }
});
