import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { HandOver } from '../../../kernel/hand-overs';
import type { UserId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Members } from '../../workspaces';
import { LeadRepository } from './lead-repository';

/** Gives a leaving member's open leads to another one, and the others to nobody. Policies aren't asked: it is a fact. */
@Injectable()
export class HandOverLeads implements HandOver {
  readonly name = 'leads';

  constructor(
    private readonly leads: LeadRepository,
    private readonly members: Members,
    private readonly clock: Clock,
  ) {}

  async handOver(ref: WorkspaceRef, from: UserId, to: UserId | null, atMost: number): Promise<number> {
    const ids = await this.leads.idsOwnedBy(ref, from, atMost);
    if (ids.length === 0) return 0;
    const leads = await this.leads.lockOwnedBy(ref, from, ids);
    const successor = to && leads.length > 0 && (await this.members.hold(ref.workspaceId, to)) ? to : null;
    for (const lead of leads) await this.leads.save(ref, lead, lead.handOver(successor, this.clock.now()));
    return ids.length;
  }
}
