import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { LeadId, WorkspaceId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Brands } from '../../brand';
import { CalendarQueries } from '../../calendar';
import { HoldLead, type LeadView } from '../../leads';
import { WorkspaceRepository } from '../../workspaces';
import type { PreparedFor, SentBrand } from '../domain/presentation';
import type { PricingContext, Proposal } from '../domain/proposal';
import { brandOn } from './brand-on';

/** Finds the data outside of a proposal that its amounts depend on. */
@Injectable()
export class PricingContextReader {
  constructor(
    private readonly holdLead: HoldLead,
    private readonly workspaces: WorkspaceRepository,
    private readonly calendar: CalendarQueries,
    private readonly brands: Brands,
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

  /** The same, with what the client's page says of the event and the venue from now on. Locks the brand, too. */
  async ofSending(
    proposal: Proposal,
  ): Promise<PricingContext & { readonly preparedFor: PreparedFor; readonly sentBrand: SentBrand }> {
    const lead = await this.holdLead.forTie(proposal, proposal.leadId);
    const { name, eventDate, guests } = lead;
    const spaces = await this.calendar.spacesOfLead(proposal, lead, this.clock.now());
    const workspace = await this.workspace(proposal.workspaceId);
    const sentBrand = brandOn(proposal, await this.brands.hold(proposal), workspace.name);
    return {
      ...(await this.with(proposal, lead)),
      ...{ preparedFor: { name, eventDate, guests, spaces }, sentBrand },
    };
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
