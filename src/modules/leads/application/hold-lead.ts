import { Injectable } from '@nestjs/common';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import type { LeadId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { LeadView } from '../domain/lead';
import { LeadRepository } from './lead-repository';

/**
 * Reads a lead for a use case that depends on it, and locks it until the unit of work ends. The ADR
 * “Lock order and lead owners” says which locks come before it to avoid deadlocks.
 */
@Injectable()
export class HoldLead {
  constructor(private readonly leads: LeadRepository) {}

  /**
   * Returns archived leads too.
   *
   * @throws NotFound for an unknown lead
   */
  async execute(ref: WorkspaceRef, id: LeadId): Promise<LeadView> {
    const lead = await this.leads.lock(ref, id);
    if (!lead) throw new NotFound('lead');
    return lead.view();
  }

  /**
   * For the field `leadId` of a request.
   *
   * @throws ValidationFailed for an unknown or archived lead
   */
  async forTie(ref: WorkspaceRef, id: LeadId): Promise<LeadView> {
    const refusal = (message: string) => new ValidationFailed({ field: 'leadId', message });
    const lead = await this.leads.lock(ref, id);
    if (!lead) throw refusal('there is no such lead');
    if (lead.archivedAt) throw refusal('is an archived lead; restore it first');
    return lead.view();
  }
}
