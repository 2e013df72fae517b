export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Set by `MailQueue`: the same in all attempts to send the mail, so that a receiver can drop repeats. */
  readonly id?: string;
}

/** Where mail goes: to the recipients' mailboxes, to the console of the service, or nowhere. */
export type MailReach = 'mailbox' | 'console' | 'nowhere';

/** Thrown by a `Mailer` for a mail that no retry can help, such as one to an unknown mailbox. */
export class MailRefused extends Error {
  /** @param code why, such as the mail server's 550. It is stored and logged, so it must not quote the mail. */
  constructor(readonly code?: string | number) {
    super('The mail was refused.');
  }
}

/** A port: sends mail. Callers add their mails to `MailQueue`, which calls it. */
export abstract class Mailer {
  /** False without a mail server. Pages then say so, and nobody waits for a mail. */
  abstract readonly canSend: boolean;

  /** Only the server administrator sees a mail on the console, so pages must not promise it to people. */
  get reach(): MailReach {
    return this.canSend ? 'mailbox' : 'nowhere';
  }

  /**
   * Makes one attempt to send a mail. `MailQueue` retries a mail whose attempt rejects or takes longer than 45 s. No
   * request waits for it. A mailer that returns no promise has sent the mail when it returns.
   *
   * @throws MailRefused for a mail that must not be retried
   */
  abstract post(mail: Mail): void | Promise<void>;
}
