import { Injectable } from '@nestjs/common';
import { CreateLead, type LeadId, type NewLead, NotFound, type WorkspaceRef } from 'gala';
import type { LoyaltyAccountId } from '../domain/loyalty-account';
import { LoyaltyAccountRepository } from './loyalty-account-repository';

/** Opens a lead for a client who wants to come again. */
@Injectable()
export class EnquireAgain {
  constructor(
    private readonly accounts: LoyaltyAccountRepository,
    private readonly createLead: CreateLead,
  ) {}

  async execute(
    ref: WorkspaceRef,
    id: LoyaltyAccountId,
    { guests = null, eventDate = null }: Pick<NewLead, 'guests' | 'eventDate'>,
  ): Promise<LeadId> {
    const account = await this.accounts.find(ref, id);
    if (!account) throw new NotFound('loyalty account');
    const lead = { email: account.email, source: 'Loyalty programme', guests, eventDate };
    return (await this.createLead.execute(ref, lead)).id;
  }
}
