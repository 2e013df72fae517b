import type { DomainEvent, LeadId, PageRequest, Slice, WorkspaceRef } from 'gala';
import type { LoyaltyAccount, LoyaltyAccountId, LoyaltyAccountView } from '../domain/loyalty-account';

export interface AccountFilter {
  /** Compared ignoring case. */
  email?: string;
}

export type AccountSort = 'createdAt' | 'points';

export abstract class LoyaltyAccountRepository {
  /** Says whether this booking is new: a lead earns points once, however often it is confirmed. */
  abstract noteBooking(ref: WorkspaceRef, leadId: LeadId, points: number, now: Date): Promise<boolean>;
  /** Adds the account unless its client has one already. */
  abstract addIfNew(account: LoyaltyAccount): Promise<void>;
  /** Reads an account and keeps others from changing it until the unit of work ends. */
  abstract lock(
    ref: WorkspaceRef,
    which: { id: LoyaltyAccountId } | { email: string },
  ): Promise<LoyaltyAccount | undefined>;
  /** Of all workspaces, one with points that nobody touched since; those that others have locked are left to them. */
  abstract lockUnused(since: Date): Promise<LoyaltyAccount | undefined>;
  /** Writes an account that was locked. */
  abstract save(account: LoyaltyAccount, events: DomainEvent[]): Promise<void>;
  abstract find(ref: WorkspaceRef, id: LoyaltyAccountId): Promise<LoyaltyAccountView | undefined>;
  abstract findByEmail(ref: WorkspaceRef, email: string): Promise<LoyaltyAccountView | undefined>;
  abstract list(
    ref: WorkspaceRef,
    filter: AccountFilter,
    request: PageRequest<AccountSort>,
  ): Promise<Slice<LoyaltyAccountView>>;
}
