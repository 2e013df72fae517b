import { Injectable } from '@nestjs/common';
import { Clock, type DomainEvent, type LeadView } from 'gala';
import { LoyaltyAccount } from '../domain/loyalty-account';
import { LoyaltyAccountRepository } from './loyalty-account-repository';

/** Hears of every lead that moved to another stage: a client whose event is confirmed earns points. */
@Injectable()
export class EarnPoints {
  constructor(
    private readonly accounts: LoyaltyAccountRepository,
    private readonly clock: Clock,
  ) {}

  async execute({ workspace, data }: DomainEvent): Promise<void> {
    const lead = data as Pick<LeadView, 'id' | 'email' | 'guests' | 'stage'>;
    if (lead.stage !== 'confirmed') return;
    if (!(await this.accounts.noteBooking(workspace, lead.id))) return;
    const now = this.clock.now();
    await this.accounts.addIfNew(LoyaltyAccount.open(workspace, lead.email, now));
    const account = (await this.accounts.lock(workspace, { email: lead.email }))!;
    await this.accounts.save(account, account.earn(lead.guests ?? 0, now));
  }
}
