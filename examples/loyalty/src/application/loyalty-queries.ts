import { Injectable } from '@nestjs/common';
import { NotFound, type Page, pageOf, type PageRequest, type WorkspaceRef } from 'gala';
import type { LoyaltyAccountId, LoyaltyAccountView } from '../domain/loyalty-account';
import { type AccountFilter, type AccountSort, LoyaltyAccountRepository } from './loyalty-account-repository';

/** The order of the list and the name that ties cursors to it, for the API and the page alike. */
export const ACCOUNTS_LIST = {
  list: 'loyalty-accounts',
  sort: { field: 'createdAt', descending: true },
  kind: 'instant',
  idPrefix: 'loy',
} as const;

export const BY_POINTS = {
  ...ACCOUNTS_LIST,
  sort: { field: 'points', descending: true },
  kind: 'integer',
} as const;

@Injectable()
export class LoyaltyQueries {
  constructor(private readonly accounts: LoyaltyAccountRepository) {}

  async get(ref: WorkspaceRef, id: LoyaltyAccountId): Promise<LoyaltyAccountView> {
    const account = await this.accounts.find(ref, id);
    if (!account) throw new NotFound('loyalty account');
    return account;
  }

  async list(
    ref: WorkspaceRef,
    filter: AccountFilter,
    request: PageRequest<AccountSort>,
  ): Promise<Page<LoyaltyAccountView>> {
    const slice = await this.accounts.list(ref, filter, request);
    return pageOf(request, slice, ({ id, createdAt, points }) => ({
      value: request.sort.field === 'points' ? String(points) : createdAt.toISOString(),
      id,
    }));
  }
}
