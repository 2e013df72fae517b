export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Where mail goes: to the recipients' mailboxes, to the console of the service, or nowhere. */
export type MailReach = 'mailbox' | 'console' | 'nowhere';

/** A port: sends mail. */
export abstract class Mailer {
  /** False without a mail server. Pages then say so, and nobody waits for a mail. */
  abstract readonly canSend: boolean;

  /** Only the server administrator sees a mail on the console, so pages must not promise it to people. */
  get reach(): MailReach {
    return this.canSend ? 'mailbox' : 'nowhere';
  }

  /**
   * Sends a mail in the background. So no request waits for a mail server, and the time of a response doesn't reveal
   * whether a mail is sent. A mail that fails after a few tries is logged, without its content.
   */
  abstract post(mail: Mail): void;
}
