import type { Mailer } from '../../kernel/mailer';
import type { Configuration } from '../config/configuration';
import { isLoopbackHost } from '../config/loopback-host';
import type { Logger } from '../logging/logger';
import { ConsoleMailer, NoMailer } from './local-mailers';
import { SmtpMailer } from './smtp-mailer';

export function createMailer({ mail, publicUrl }: Configuration, logger: Logger): Mailer {
  if (mail.smtpUrl) return new SmtpMailer(mail.smtpUrl, mail.from);
  return isLoopbackHost(publicUrl.hostname) ? new ConsoleMailer() : new NoMailer(logger);
}
