import { type Mail, Mailer, type MailReach } from '../../kernel/mailer';
import type { Logger } from '../logging/logger';

/** For trying Gala on one's own machine: prints emails on the service's console. */
export class ConsoleMailer extends Mailer {
  readonly canSend = true;

  override get reach(): MailReach {
    return 'console';
  }

  post({ to, subject, text }: Mail): void {
    const lines = [`To: ${to}`, `Subject: ${subject}`, '', ...text.trimEnd().split('\n')];
    process.stdout.write(
      `\nAn email, printed here because SMTP_URL isn't set:\n${lines.map((line) => `  | ${line}\n`).join('')}\n`,
    );
  }
}

/** For a public service without a mail server: sends nothing, because links must not appear in its log. */
export class NoMailer extends Mailer {
  readonly canSend = false;

  constructor(private readonly logger: Logger) {
    super();
  }

  post({ id }: Mail): void {
    this.logger.warn({ id }, 'an email was not sent: set SMTP_URL');
  }
}
