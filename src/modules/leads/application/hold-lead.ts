import { Injectable } from '@nestjs/common';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import type { LeadId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { LeadView } from '../domain/lead';
import { LeadRepository } from './lead-repository';

/**
 * Reads a lead for something that depends on it, and keeps it from being changed or archived until the caller's unit of
 * work ends. Locks are taken in one order, or two units of work would wait for each other: the workspace, spaces by id,
 * proposals from the newest version to the oldest, leads by id.
 */
@Injectable()
export class HoldLead {
  constructor(private readonly leads: LeadRepository) {}

  /** Throws NotFound for an unknown lead; an archived one is returned. */
  async execute(ref: WorkspaceRef, id: LeadId): Promise<LeadView> {
    const lead = await this.leads.lock(ref, id);
    if (!lead) throw new NotFound('lead');
    return lead.view();
  }

  /** For what a request ties to a lead by its field `leadId`: throws ValidationFailed for an unknown or archived lead. */
  async forTie(ref: WorkspaceRef, id: LeadId): Promise<LeadView> {
    const refusal = (message: string) => new ValidationFailed({ field: 'leadId', message });
    const lead = await this.leads.lock(ref, id);
    if (!lead) throw refusal('there is no such lead');
    if (lead.archivedAt) throw refusal('is an archived lead; restore it first');
    return lead.view();
  }
}
