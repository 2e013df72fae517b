import { Injectable } from '@nestjs/common';
import { Clock, MailQueue, UnitOfWork } from 'gala';
import { type LoyaltyAccount, YEARS_UNTIL_EXPIRY } from '../domain/loyalty-account';
import { LoyaltyAccountRepository } from './loyalty-account-repository';

/** Takes back what clients let lie for too long, account by account, so that none of them is locked for long, and mails them. */
@Injectable()
export class ExpirePoints {
  constructor(
    private readonly accounts: LoyaltyAccountRepository,
    private readonly mails: MailQueue,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.expireNext()));
  }

  private expireNext(): Promise<boolean> {
    const now = this.clock.now();
    const since = new Date(now);
    since.setUTCFullYear(now.getUTCFullYear() - YEARS_UNTIL_EXPIRY);
    return this.unitOfWork.run(async () => {
      const account = await this.accounts.lockUnused(since);
      if (!account) return false;
      const { points } = account;
      await this.accounts.save(account, account.expire(now));
      // Addresses in test mode may be those of real people.
      if (account.mode === 'live') await this.notify(account, points);
      return true;
    });
  }

  private async notify({ email, workspaceId }: LoyaltyAccount, points: number): Promise<void> {
    const mail = {
      to: email,
      subject: 'Your points have expired',
      text: `Your ${points} points were not used for ${YEARS_UNTIL_EXPIRY} years, and have expired.\n`,
    };
    await this.mails.add(mail, { workspaceId });
  }
}
