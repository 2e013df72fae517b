import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimited } from '../../../kernel/errors';
import { foldText } from '../../../kernel/text';
import { SecretBox } from '../../../platform/encryption/secret-box';
import { type Bucket, RateLimiter } from '../../../platform/rate-limiting/rate-limiter';
import { addressBucket } from '../../../platform/rate-limiting/rate-limits';
import { type Attempt, GuessLimit } from '../application/ports';
import { isSameSecret } from '../../../kernel/secret-token';

/**
 * Counts guesses per account and address, per account, and per address, in fixed windows. A browser in which the owner has
 * signed in before has counters of its own, so that the owner can sign in while an attacker exhausts the account's.
 */
@Injectable()
export class RateLimitedGuesses extends GuessLimit {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly secrets: SecretBox,
  ) {
    super();
  }

  async count(attempt: Attempt): Promise<void> {
    for (const [bucket, subject] of this.countersOf(attempt)) {
      const { exceeded, retryAfter } = await this.limiter.consume(bucket, subject);
      if (exceeded) throw new RateLimited(retryAfter);
    }
  }

  async forgive(attempt: Attempt): Promise<void> {
    for (const [bucket, subject] of this.countersOf(attempt)) await this.limiter.giveBack(bucket, subject);
  }

  async allowsMail(email: string): Promise<boolean> {
    return !(await this.limiter.consume('mails', digest(foldText(email)))).exceeded;
  }

  async allowsInvitation(sender: string, recipient: string): Promise<boolean> {
    const bySender = await this.limiter.consume(
      'triesOnAccount',
      digest(`invitations by ${foldText(sender)}`),
    );
    const toRecipient = await this.limiter.consume('mails', digest(`invitation of ${foldText(recipient)}`));
    return !bySender.exceeded && !toRecipient.exceeded;
  }

  markOf(email: string): string {
    const browser = randomBytes(16).toString('base64url');
    return `${browser}.${this.signatureOf(browser, email)}`;
  }

  private countersOf({ email, address, knownBrowser = '' }: Attempt): [Bucket, string][] {
    const [browser = '', signature = ''] = knownBrowser.split('.');
    const account = digest(foldText(email));
    if (browser && isSameSecret(signature, this.signatureOf(browser, email))) {
      // Known browsers also share a counter: someone who once had the password may have collected many marks.
      return [
        ['tries', digest(browser)],
        ['triesOnAccount', digest(`known browsers of ${foldText(email)}`)],
      ];
    }
    const from = addressBucket(address);
    return [
      ['triesFromAddress', from],
      ['tries', `${account} ${from}`],
      ['triesOnAccount', account],
    ];
  }

  private signatureOf(browser: string, email: string): string {
    return this.secrets.sign(`${browser} ${foldText(email)}`, 'known browser');
  }
}

/** Hashed, because counters may be in Redis, which shouldn't contain email addresses. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
