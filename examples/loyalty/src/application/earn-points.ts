import { Injectable } from '@nestjs/common';
import { type Cause, Clock, LeadQueries, type LeadView, type RecordedEvent } from 'gala';
import { LoyaltyAccount, pointsFor } from '../domain/loyalty-account';
import { LoyaltyAccountRepository } from './loyalty-account-repository';

/** Leads that are brought over from another system are history, and earn nothing. */
const NO_NEWS: Cause['type'] = 'import';

/** Hears of every lead that moved to another stage: a client whose enquiry is won earns points. */
@Injectable()
export class EarnPoints {
  constructor(
    private readonly leads: LeadQueries,
    private readonly accounts: LoyaltyAccountRepository,
    private readonly clock: Clock,
  ) {}

  /** Events may come late and in another order: what counts is the lead as it is by now. */
  async execute({ workspace, data, cause }: RecordedEvent): Promise<void> {
    if (cause.type === NO_NEWS) return;
    const lead = await this.leads.get(workspace, (data as LeadView).id);
    // A workspace may have stages of its own; the outcome is the same for all.
    if (lead.outcome !== 'won') return;
    const now = this.clock.now();
    const guests = lead.guests ?? 0;
    if (!(await this.accounts.noteBooking(workspace, lead.id, pointsFor(guests), now))) return;
    await this.accounts.addIfNew(LoyaltyAccount.open(workspace, lead.email, now));
    const account = (await this.accounts.lock(workspace, { email: lead.email }))!;
    await this.accounts.save(account, account.earn(guests, now));
  }
}
