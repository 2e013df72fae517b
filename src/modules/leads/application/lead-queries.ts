import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../kernel/errors';
import type { LeadId, UserId } from '../../../kernel/ids';
import { type Page, pageOf, type PageRequest, type Position, type Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { LeadView, Stage } from '../domain/lead';

export const LEAD_SORT_FIELDS = ['createdAt', 'updatedAt', 'eventDate', 'name'] as const;
export type LeadSortField = (typeof LEAD_SORT_FIELDS)[number];

/** Each given condition narrows the list further. */
export interface LeadFilter {
  stage?: Stage;
  /** This and the next two are compared as a whole, by `foldText`. */
  email?: string;
  tag?: string;
  source?: string;
  /** Null: without an owner. */
  owner?: UserId | null;
  /** Inclusive days. */
  eventDateFrom?: string;
  eventDateTo?: string;
  /** Exclusive instants. */
  createdAfter?: Date;
  createdBefore?: Date;
  updatedAfter?: Date;
  archived: 'false' | 'true' | 'all';
  /** Each must occur somewhere in name, e-mail, phone or tags, ignoring case. */
  words?: string[];
}

export abstract class LeadReader {
  abstract find(ref: WorkspaceRef, id: LeadId): Promise<LeadView | undefined>;
  abstract findByPhone(ref: WorkspaceRef, phone: string): Promise<LeadView | undefined>;
  abstract list(
    ref: WorkspaceRef,
    filter: LeadFilter,
    request: PageRequest<LeadSortField>,
  ): Promise<Slice<LeadView>>;
}

@Injectable()
export class LeadQueries {
  constructor(private readonly leads: LeadReader) {}

  async get(ref: WorkspaceRef, id: LeadId): Promise<LeadView> {
    const lead = await this.leads.find(ref, id);
    if (!lead) throw new NotFound('lead');
    return lead;
  }

  /** The newest lead with that normalised number. Archived leads are returned only if there is no other. */
  findByPhone(ref: WorkspaceRef, phone: string): Promise<LeadView | undefined> {
    return this.leads.findByPhone(ref, phone);
  }

  async list(
    ref: WorkspaceRef,
    filter: LeadFilter,
    request: PageRequest<LeadSortField>,
  ): Promise<Page<LeadView>> {
    return pageOf(request, await this.leads.list(ref, filter, request), (lead) =>
      positionOf(lead, request.sort.field),
    );
  }
}

function positionOf(lead: LeadView, field: LeadSortField): Position {
  const value = lead[field];
  return { value: value instanceof Date ? value.toISOString() : value, id: lead.id };
}
