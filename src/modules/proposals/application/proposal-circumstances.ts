import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import type { LeadId, WorkspaceId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { LeadQueries, type LeadView } from '../../leads';
import { WorkspaceRepository } from '../../workspaces';
import type { Circumstances } from '../domain/proposal';

/** Looks up what an offer depends on outside of itself. */
@Injectable()
export class ProposalCircumstances {
  constructor(
    private readonly leads: LeadQueries,
    private readonly workspaces: WorkspaceRepository,
    private readonly clock: Clock,
  ) {}

  /** Refuses a lead that isn't there, or is archived. */
  async of(ref: WorkspaceRef, leadId: LeadId): Promise<Circumstances & { currency: string }> {
    const [{ guests }, { timeZone, currency }] = [
      await this.activeLead(ref, leadId),
      await this.workspace(ref.workspaceId),
    ];
    return { guests, timeZone, currency, now: this.clock.now() };
  }

  async timeZone(workspaceId: WorkspaceId): Promise<string> {
    return (await this.workspace(workspaceId)).timeZone;
  }

  private async workspace(id: WorkspaceId) {
    return (await this.workspaces.find(id))!;
  }

  private async activeLead(ref: WorkspaceRef, leadId: LeadId): Promise<LeadView> {
    const refusal = (message: string) => new ValidationFailed({ field: 'leadId', message });
    const lead = await this.leads.get(ref, leadId).catch((error: unknown) => {
      throw error instanceof NotFound ? refusal('is no lead of this workspace') : error;
    });
    if (lead.archivedAt) throw refusal('names an archived lead; restore it first');
    return lead;
  }
}
