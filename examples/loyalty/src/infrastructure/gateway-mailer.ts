import { Injectable } from '@nestjs/common';
import { describeError, Logger, type Mail, Mailer } from 'gala';

/** Hands mails to the company's own gateway, which sees to their delivery. */
@Injectable()
export class GatewayMailer extends Mailer {
  readonly canSend = true;
  private readonly url = process.env.MAIL_GATEWAY_URL ?? 'http://mail-gateway.internal/mails';

  constructor(private readonly logger: Logger) {
    super();
  }

  post(mail: Mail): void {
    this.send(mail).catch((error: unknown) =>
      this.logger.error(describeError(error), 'the mail gateway didn’t take a mail'),
    );
  }

  private async send(mail: Mail): Promise<void> {
    const answer = await fetch(this.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(mail),
      signal: AbortSignal.timeout(10_000),
    });
    if (!answer.ok) throw new Error(`The mail gateway answered ${answer.status}.`);
  }
}
