import type { WorkspaceId } from './ids';
import type { Mail } from './mailer';

export interface MailOptions {
  /** Not sent from then on: when the mail's link expires. By default after three days. */
  readonly expiresAt?: Date;
  /** For mails that a workspace can cause in any number. Its mails share one part of the queue. */
  readonly workspaceId?: WorkspaceId;
}

/** A port: keeps mails until they are sent, so that a process which is killed loses none. */
export abstract class MailQueue {
  /**
   * Stores a mail in the current unit of work, encrypted, and sends it after the commit. Attempts that fail are retried
   * with growing pauses until the mail expires. Each mail is sent at least once, unless it is refused or expires, which
   * is logged. A mail that has expired already is dropped, and so is one to a recipient for whom 100 mails are waiting.
   *
   * @throws RateLimited while 5,000 mails of the workspace are waiting
   */
  abstract add(mail: Mail, options?: MailOptions): Promise<void>;
}
