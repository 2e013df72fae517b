import type { Mailer } from '../../kernel/mailer';
import type { Configuration } from '../config/configuration';
import type { Logger } from '../logging/logger';
import { ConsoleMailer, NoMailer } from './local-mailers';
import { SmtpMailer } from './smtp-mailer';

const OWN_MACHINE = /^(localhost|127(\.\d+){3}|\[::1\])$/;

export function createMailer({ mail, publicUrl }: Configuration, logger: Logger): Mailer {
  if (mail.smtpUrl) return new SmtpMailer(mail.smtpUrl, mail.from, logger);
  return OWN_MACHINE.test(publicUrl.hostname) ? new ConsoleMailer() : new NoMailer(logger);
}
