import { Injectable } from '@nestjs/common';
import { type Mail, Mailer, MailRefused } from 'gala';

/** Hands mails to the company's own gateway, which sees to their delivery. Gala retries those that it didn't take. */
@Injectable()
export class GatewayMailer extends Mailer {
  readonly canSend = true;
  private readonly url = process.env.MAIL_GATEWAY_URL ?? 'http://mail-gateway.internal/mails';

  async post({ id, ...mail }: Mail): Promise<void> {
    const answer = await fetch(this.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(id && { 'Idempotency-Key': id }) },
      body: JSON.stringify(mail),
      signal: AbortSignal.timeout(10_000),
    });
    if (answer.status === 422) throw new MailRefused(answer.status);
    if (!answer.ok) throw Object.assign(new Error('The mail gateway failed.'), { code: answer.status });
  }
}
