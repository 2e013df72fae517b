import { Injectable } from '@nestjs/common';
import {
  foldText,
  type LeadChange,
  type LeadCreation,
  type LeadFields,
  type LeadPolicy,
  ValidationFailed,
} from 'gala';
import { LoyaltyAccountRepository } from './loyalty-account-repository';
import { LoyaltySettings } from './loyalty-settings';

/** Marks the leads of clients who have an account, and keeps the address by which their points are found. */
@Injectable()
export class MemberPolicy implements LeadPolicy {
  readonly name = 'loyalty';

  constructor(
    private readonly accounts: LoyaltyAccountRepository,
    private readonly settings: LoyaltySettings,
  ) {}

  async beforeCreate({ ref, fields }: LeadCreation): Promise<Partial<LeadFields> | undefined> {
    const account = await this.accounts.findByEmail(ref, fields.email);
    const { memberTag } = await this.settings.get(ref);
    return account && memberTag !== null ? { tags: [...(fields.tags ?? []), memberTag] } : undefined;
  }

  async beforeChange({ ref, lead, changes }: LeadChange): Promise<undefined> {
    if (!changes.email || foldText(changes.email) === foldText(lead.email)) return;
    const account = await this.accounts.findByEmail(ref, lead.email);
    if (!account?.points || !(await this.settings.get(ref)).keepsAddress) return;
    throw new ValidationFailed({
      field: 'email',
      message: `has ${account.points} loyalty points; redeem them first`,
    });
  }
}
