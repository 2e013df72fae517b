import { type Mail, Mailer } from '../kernel/mailer';

/** Keeps what the service would have sent. */
export class Mailbox extends Mailer {
  readonly mails: Mail[] = [];

  constructor(readonly canSend = true) {
    super();
  }

  post(mail: Mail): void {
    this.mails.push(mail);
  }

  /** Oldest first. */
  to(address: string): Mail[] {
    return this.mails.filter(({ to }) => to === address);
  }

  /** The path of the link in the newest mail to that address. */
  linkTo(address: string): string {
    const link = /^https?:\/\/\S+$/m.exec(this.to(address).at(-1)?.text ?? '')?.[0];
    if (!link) throw new Error(`No mail to ${address} holds a link.`);
    return new URL(link).pathname;
  }
}
