import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../kernel/errors';
import type { LeadId, ProposalId, WorkspaceId } from '../../../kernel/ids';
import {
  type Page,
  pageOf,
  type PageRequest,
  type Position,
  type Slice,
  type Sort,
  wholeList,
} from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Proposal, ProposalStatus } from '../domain/proposal';
import { type ProposalView, ProposalViews } from './proposal-views';

export const PROPOSAL_SORT_FIELDS = ['createdAt', 'updatedAt'] as const;
export type ProposalSortField = (typeof PROPOSAL_SORT_FIELDS)[number];

/** The orders of the list that people see. Only `createdAt` has an index. */
export const STAFF_SORT_FIELDS = ['createdAt', 'total', 'sentAt', 'viewedAt', 'validUntil'] as const;
export type StaffSortField = (typeof STAFF_SORT_FIELDS)[number];

/** A search, or an order without an index, looks through this many of the newest proposals at most. */
export const MOST_SEARCHED = 10_000;

/** Each given condition narrows the list further. */
export interface ProposalFilter {
  /** Null if it can't be a lead's id: no proposal matches. */
  leadId?: LeadId | null;
  status?: ProposalStatus;
  archived: 'false' | 'true' | 'all';
}

/** The filter of the list that people see: without archived proposals. */
export interface StaffFilter extends Pick<ProposalFilter, 'leadId' | 'status'> {
  /** Each is the number, or occurs in the title, or in the name, e-mail, phone or tags of the lead, ignoring case. */
  words: readonly string[];
}

/** The lead of a proposal, as lists name it. */
export interface ProposalClient {
  readonly name: string | null;
  readonly email: string;
}

/** A proposal of the list that people see. */
export interface ListedProposal extends ProposalView {
  readonly client: ProposalClient;
}

/** A version of a proposal, as lists of versions show it. */
export type ProposalVersion = Pick<
  ProposalView,
  'id' | 'version' | 'status' | 'currency' | 'total' | 'sentAt' | 'archivedAt'
>;

/** The most versions that a list shows. */
export const MOST_VERSIONS = 50;

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

/** What the proposals of a lead amount to in one currency, in minor units. */
export interface LeadValue {
  readonly leadId: LeadId;
  readonly currency: string;
  readonly total: bigint;
}

/** The proposals that clients can still answer: sent, viewed, and not archived. */
export interface OpenTotals {
  /** By currency. */
  readonly totals: readonly { readonly currency: string; readonly count: number; readonly total: bigint }[];
  /** There are more than were read. */
  readonly isPartial: boolean;
}

/** The most open proposals that `openTotals` reads. */
export const MOST_OPEN = 2000;

export abstract class ProposalReader {
  abstract find(ref: WorkspaceRef, id: ProposalId): Promise<Proposal | undefined>;
  abstract list(
    ref: WorkspaceRef,
    filter: ProposalFilter,
    request: PageRequest<ProposalSortField>,
  ): Promise<Slice<Proposal>>;
  /** Looks through the newest `MOST_SEARCHED` proposals, and doesn't count what it finds. */
  abstract search(
    ref: WorkspaceRef,
    filter: StaffFilter,
    request: PageRequest<StaffSortField>,
  ): Promise<Slice<Proposal>>;
  abstract clients(ref: WorkspaceRef, ids: readonly LeadId[]): Promise<Map<LeadId, ProposalClient>>;
  /** The newest `MOST_VERSIONS`, the newest first. */
  abstract versions(ref: WorkspaceRef, number: number): Promise<ProposalVersion[]>;
  /**
   * The totals of the sent, viewed and accepted proposals of these leads, by currency: of each proposal its latest version, and of
   * each lead its newest `MOST_VERSIONS` versions.
   */
  abstract valuesOf(ref: WorkspaceRef, leads: readonly LeadId[]): Promise<LeadValue[]>;
  /** Reads `most` at most, the last to expire first. */
  abstract openTotals(ref: WorkspaceRef, most: number): Promise<OpenTotals>;
  /** Open proposals by expiry, from one day to another, both inclusive. */
  abstract expiring(ref: WorkspaceRef, from: string, to: string, most: number): Promise<Proposal[]>;
  /** Whether the workspace has ever sent one, in either mode. */
  abstract hasSent(workspaceId: WorkspaceId): Promise<boolean>;
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

  /** A page of the list that people see. Its total is 0. */
  async listForStaff(
    ref: WorkspaceRef,
    { words, ...filter }: StaffFilter,
    request: PageRequest<StaffSortField>,
  ): Promise<Page<ListedProposal>> {
    const uncounted = { ...request, isUncounted: true };
    const { items, ...rest } =
      words.length === 0 && isIndexed(uncounted)
        ? await this.proposals.list(ref, { ...filter, archived: 'false' }, uncounted)
        : await this.proposals.search(ref, { words, ...filter }, uncounted);
    const listed = await this.withClients(ref, items);
    return pageOf(uncounted, { ...rest, items: listed }, (view) => positionOf(view, request.sort.field));
  }

  /** A proposal with its client. */
  async getListed(ref: WorkspaceRef, id: ProposalId): Promise<ListedProposal> {
    const proposal = await this.get(ref, id);
    const clients = await this.proposals.clients(ref, [proposal.leadId]);
    return { ...proposal, client: clients.get(proposal.leadId)! };
  }

  versions(ref: WorkspaceRef, number: number): Promise<ProposalVersion[]> {
    return this.proposals.versions(ref, number);
  }

  /** All proposals that match, the newest first, part by part. */
  all(ref: WorkspaceRef, filter: ProposalFilter): AsyncGenerator<readonly ProposalView[], void> {
    const newestFirst: Sort<ProposalSortField> = { field: 'createdAt', descending: true };
    return wholeList(newestFirst, (request) => this.list(ref, filter, request));
  }

  /** All proposals of the list that people see, the newest first, part by part. */
  allForStaff(ref: WorkspaceRef, filter: StaffFilter): AsyncGenerator<readonly ProposalView[], void> {
    const newestFirst: Sort<StaffSortField> = { field: 'createdAt', descending: true };
    return wholeList(newestFirst, (request) => this.listForStaff(ref, filter, request));
  }

  valuesOf(ref: WorkspaceRef, leads: readonly LeadId[]): Promise<LeadValue[]> {
    return this.proposals.valuesOf(ref, leads);
  }

  openTotals(ref: WorkspaceRef): Promise<OpenTotals> {
    return this.proposals.openTotals(ref, MOST_OPEN);
  }

  /** The next to expire first, from one day to another, both inclusive. */
  async expiring(ref: WorkspaceRef, from: string, to: string, most: number): Promise<ListedProposal[]> {
    return this.withClients(ref, await this.proposals.expiring(ref, from, to, most));
  }

  hasSent(workspaceId: WorkspaceId): Promise<boolean> {
    return this.proposals.hasSent(workspaceId);
  }

  totalsByStatus(ref: WorkspaceRef): Promise<StatusTotal[]> {
    return this.proposals.totalsByStatus(ref);
  }

  pipeline(ref: WorkspaceRef): Promise<StageTotal[]> {
    return this.proposals.pipeline(ref);
  }

  private async withClients(ref: WorkspaceRef, proposals: readonly Proposal[]): Promise<ListedProposal[]> {
    const clients = await this.proposals.clients(ref, [...new Set(proposals.map(({ leadId }) => leadId))]);
    return proposals.map((proposal) => ({
      ...this.views.of(proposal),
      client: clients.get(proposal.leadId)!,
    }));
  }
}

function isIndexed(
  request: PageRequest<StaffSortField>,
): request is PageRequest<StaffSortField & ProposalSortField> {
  return PROPOSAL_SORT_FIELDS.includes(request.sort.field as ProposalSortField);
}

function positionOf(view: ProposalView, field: StaffSortField): Position {
  const value = view[field];
  return {
    value: value instanceof Date ? value.toISOString() : value === null ? null : String(value),
    id: view.id,
  };
}
