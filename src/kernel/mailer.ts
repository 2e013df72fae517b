export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Where mails end up: in the recipients' mailboxes, printed where the service runs, or nowhere. */
export type MailReach = 'mailbox' | 'console' | 'nowhere';

/** A port: the way to people who aren't looking at a page. */
export abstract class Mailer {
  /** False when this service has no way to send mail, so that pages can say so instead of letting people wait. */
  abstract readonly canSend: boolean;

  /** What pages promise depends on it: a printed mail is found by the server administrator alone. */
  get reach(): MailReach {
    return this.canSend ? 'mailbox' : 'nowhere';
  }

  /**
   * Takes a mail and sends it in the background: nobody waits for a mail server, and no answer's time tells whether
   * there was anything to send. A mail that can't be delivered after a few tries is logged, without its content.
   */
  abstract post(mail: Mail): void;
}
