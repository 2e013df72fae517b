import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { LeadId, WorkspaceId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { HoldLead } from '../../leads';
import { WorkspaceRepository } from '../../workspaces';
import type { PricingContext } from '../domain/proposal';

/** Looks up what an offer depends on outside of itself. */
@Injectable()
export class PricingContextReader {
  constructor(
    private readonly holdLead: HoldLead,
    private readonly workspaces: WorkspaceRepository,
    private readonly clock: Clock,
  ) {}

  /** Refuses a lead that isn't there or is archived, and holds it until the unit of work ends. */
  async of(ref: WorkspaceRef, leadId: LeadId): Promise<PricingContext & { currency: string }> {
    const [{ guests }, { timeZone, currency }] = [
      await this.holdLead.forTie(ref, leadId),
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
}
