import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../kernel/errors';
import type { LeadId, ProposalId } from '../../../kernel/ids';
import { type Page, pageOf, type PageRequest, type Slice, type Sort, wholeList } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Proposal, ProposalStatus } from '../domain/proposal';
import { type ProposalView, ProposalViews } from './proposal-views';

export const PROPOSAL_SORT_FIELDS = ['createdAt', 'updatedAt'] as const;
export type ProposalSortField = (typeof PROPOSAL_SORT_FIELDS)[number];

/** Each given condition narrows the list further. */
export interface ProposalFilter {
  /** Null if it can't be a lead's id: no proposal matches. */
  leadId?: LeadId | null;
  status?: ProposalStatus;
  archived: 'false' | 'true' | 'all';
}

/** The number and total (minor units) of the proposals with one status and currency. */
export interface StatusTotal {
  readonly status: ProposalStatus;
  readonly currency: string;
  readonly count: number;
  readonly total: bigint;
}

/** The number of leads at one stage, and the total of their latest proposals by currency. */
export interface StageTotal {
  readonly stage: string;
  readonly leads: number;
  readonly totals: readonly { readonly currency: string; readonly total: bigint }[];
}

export abstract class ProposalReader {
  abstract find(ref: WorkspaceRef, id: ProposalId): Promise<Proposal | undefined>;
  abstract list(
    ref: WorkspaceRef,
    filter: ProposalFilter,
    request: PageRequest<ProposalSortField>,
  ): Promise<Slice<Proposal>>;
  /** Archived proposals don't count. */
  abstract totalsByStatus(ref: WorkspaceRef): Promise<StatusTotal[]>;
  /** Archived leads don't count, and neither do proposals that can no longer be accepted. */
  abstract pipeline(ref: WorkspaceRef): Promise<StageTotal[]>;
}

@Injectable()
export class ProposalQueries {
  constructor(
    private readonly proposals: ProposalReader,
    private readonly views: ProposalViews,
  ) {}

  async get(ref: WorkspaceRef, id: ProposalId): Promise<ProposalView> {
    const proposal = await this.proposals.find(ref, id);
    if (!proposal) throw new NotFound('proposal');
    return this.views.of(proposal);
  }

  async list(
    ref: WorkspaceRef,
    filter: ProposalFilter,
    request: PageRequest<ProposalSortField>,
  ): Promise<Page<ProposalView>> {
    const { items, ...rest } = await this.proposals.list(ref, filter, request);
    const slice = { ...rest, items: items.map((proposal) => this.views.of(proposal)) };
    const { field } = request.sort;
    return pageOf(request, slice, (view) => ({ value: view[field].toISOString(), id: view.id }));
  }

  /** All proposals that match, the newest first, part by part. */
  all(ref: WorkspaceRef, filter: ProposalFilter): AsyncGenerator<readonly ProposalView[], void> {
    const newestFirst: Sort<ProposalSortField> = { field: 'createdAt', descending: true };
    return wholeList(newestFirst, (request) => this.list(ref, filter, request));
  }

  totalsByStatus(ref: WorkspaceRef): Promise<StatusTotal[]> {
    return this.proposals.totalsByStatus(ref);
  }

  pipeline(ref: WorkspaceRef): Promise<StageTotal[]> {
    return this.proposals.pipeline(ref);
  }
}
