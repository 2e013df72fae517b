import { setTimeout as sleep } from 'node:timers/promises';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Transporter } from 'nodemailer';
import { type Mail, Mailer } from '../../kernel/mailer';
import type { Logger } from '../logging/logger';

const RETRY_AFTER_MS = [1_000, 10_000, 60_000];
const TIMEOUT_MS = 15_000;

/** Sends emails through the SMTP server of `SMTP_URL`. At shutdown, unsent emails get one more attempt. */
export class SmtpMailer extends Mailer implements OnApplicationShutdown {
  readonly canSend = true;
  private readonly transport: Promise<Transporter>;
  private readonly underWay = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    url: string,
    private readonly from: string,
    private readonly logger: Logger,
  ) {
    super();
    this.transport = transportTo(url, from);
  }

  post(mail: Mail): void {
    const sending = this.deliver(mail).finally(() => this.underWay.delete(sending));
    this.underWay.add(sending);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.underWay);
    (await this.transport).close();
  }

  private async deliver(mail: Mail): Promise<void> {
    for (const pause of [...RETRY_AFTER_MS, undefined]) {
      try {
        await (await this.transport).sendMail({ ...mail, from: this.from });
        return;
      } catch (error) {
        // The message may quote the recipient's address, so only the code is logged.
        const { code, responseCode } = error as { code?: string; responseCode?: number };
        const refused = responseCode !== undefined && responseCode >= 500;
        if (pause === undefined || refused || this.stopping.signal.aborted) {
          this.logger.error({ code, responseCode, subject: mail.subject }, 'an email could not be sent');
          return;
        }
        await sleep(pause, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
    }
  }
}

/** Loads nodemailer only if it is used. */
async function transportTo(url: string, from: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport(url, {
    from,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // Emails are plain text, so nothing in them needs to read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  } as object);
}
