import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { LeadId, WorkspaceId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { CalendarQueries } from '../../calendar';
import { HoldLead, type LeadView } from '../../leads';
import { WorkspaceRepository } from '../../workspaces';
import type { PreparedFor } from '../domain/presentation';
import type { PricingContext } from '../domain/proposal';

/** Finds the data outside of a proposal that its amounts depend on. */
@Injectable()
export class PricingContextReader {
  constructor(
    private readonly holdLead: HoldLead,
    private readonly workspaces: WorkspaceRepository,
    private readonly calendar: CalendarQueries,
    private readonly clock: Clock,
  ) {}

  /**
   * Locks the lead until the unit of work ends.
   *
   * @throws ValidationFailed for an unknown or archived lead
   */
  async of(ref: WorkspaceRef, leadId: LeadId): Promise<PricingContext & { currency: string }> {
    return this.with(ref, await this.holdLead.forTie(ref, leadId));
  }

  /** The same, with what the client's page says of the event from now on. */
  async ofSending(
    ref: WorkspaceRef,
    leadId: LeadId,
  ): Promise<PricingContext & { readonly preparedFor: PreparedFor }> {
    const lead = await this.holdLead.forTie(ref, leadId);
    const { name, eventDate, guests } = lead;
    const spaces = await this.calendar.spacesOfLead(ref, lead, this.clock.now());
    return { ...(await this.with(ref, lead)), preparedFor: { name, eventDate, guests, spaces } };
  }

  async timeZone(workspaceId: WorkspaceId): Promise<string> {
    return (await this.workspace(workspaceId)).timeZone;
  }

  private async with({ workspaceId }: WorkspaceRef, { guests }: Pick<LeadView, 'guests'>) {
    const { timeZone, currency } = await this.workspace(workspaceId);
    return { guests, timeZone, currency, now: this.clock.now() };
  }

  private async workspace(id: WorkspaceId) {
    return (await this.workspaces.find(id))!;
  }
}
