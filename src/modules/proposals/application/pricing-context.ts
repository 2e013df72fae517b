import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { LeadId, WorkspaceId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { HoldLead } from '../../leads';
import { WorkspaceRepository } from '../../workspaces';
import type { PricingContext } from '../domain/proposal';

/** Finds the data outside of a proposal that its amounts depend on. */
@Injectable()
export class PricingContextReader {
  constructor(
    private readonly holdLead: HoldLead,
    private readonly workspaces: WorkspaceRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Locks the lead until the unit of work ends.
   *
   * @throws ValidationFailed for an unknown or archived lead
   */
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
