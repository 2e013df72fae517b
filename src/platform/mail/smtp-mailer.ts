import type { OnApplicationShutdown } from '@nestjs/common';
import type { Transporter } from 'nodemailer';
import { type Mail, Mailer, MailRefused } from '../../kernel/mailer';

const TIMEOUT_MS = 15_000;

/** Sends emails through the SMTP server of `SMTP_URL`. */
export class SmtpMailer extends Mailer implements OnApplicationShutdown {
  readonly canSend = true;
  private readonly transport: Promise<Transporter>;

  constructor(
    url: string,
    private readonly from: string,
  ) {
    super();
    this.transport = transportTo(url, from);
  }

  async post({ id, ...mail }: Mail): Promise<void> {
    try {
      const headers = { from: this.from, ...(id && { messageId: `<${id}@${domainOf(this.from)}>` }) };
      await (await this.transport).sendMail({ ...mail, ...headers });
    } catch (error) {
      throw isFinal(error as SmtpError) ? new MailRefused((error as SmtpError).responseCode) : error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    (await this.transport).close();
  }
}

interface SmtpError {
  readonly code?: string;
  /** The server's reply code (RFC 5321 section 4.2): 5xx is permanent. */
  readonly responseCode?: number;
}

/** Whether this mail will be refused each time. A refused password or a server that is away may be mended. */
function isFinal({ code, responseCode = 500 }: SmtpError): boolean {
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500;
}

function domainOf(from: string): string {
  return /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost';
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
