import { type Mail, Mailer, type MailReach } from '../../kernel/mailer';
import type { Logger } from '../logging/logger';

/** For trying Gala out on one's own machine: mails are shown where the service was started. */
export class ConsoleMailer extends Mailer {
  readonly canSend = true;

  override get reach(): MailReach {
    return 'console';
  }

  post({ to, subject, text }: Mail): void {
    const lines = [`To: ${to}`, `Subject: ${subject}`, '', ...text.trimEnd().split('\n')];
    process.stdout.write(
      `\nA mail, shown here because SMTP_URL isn't set:\n${lines.map((line) => `  | ${line}\n`).join('')}\n`,
    );
  }
}

/** For a service that others reach and that has no mail server: links must not lie about in its log. */
export class NoMailer extends Mailer {
  readonly canSend = false;

  constructor(private readonly logger: Logger) {
    super();
  }

  post({ subject }: Mail): void {
    this.logger.warn({ subject }, 'a mail was not sent: set SMTP_URL');
  }
}
