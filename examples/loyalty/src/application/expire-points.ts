import { Injectable } from '@nestjs/common';
import { Clock, UnitOfWork } from 'gala';
import { YEARS_UNTIL_EXPIRY } from '../domain/loyalty-account';
import { LoyaltyAccountRepository } from './loyalty-account-repository';

/** Takes back what clients let lie for too long, account by account, so that none of them is locked for long. */
@Injectable()
export class ExpirePoints {
  constructor(
    private readonly accounts: LoyaltyAccountRepository,
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
      if (account) await this.accounts.save(account, account.expire(now));
      return account !== undefined;
    });
  }
}
