import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import type { ProposalId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { Precondition } from '../../../kernel/precondition';
import { later } from '../../../kernel/time';
import { ChangeLead } from '../../leads';
import type { Proposal, ProposalFields } from '../domain/proposal';
import { PricingContextReader } from './pricing-context';
import { ProposalRepository } from './proposal-repository';
import { type ProposalView, ProposalViews } from './proposal-views';

/** What the workspace does with its proposals, one change of a proposal at a time. */
@Injectable()
export class ChangeProposal {
  constructor(
    private readonly proposals: ProposalRepository,
    private readonly context: PricingContextReader,
    private readonly leads: ChangeLead,
    private readonly views: ProposalViews,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  update(
    ref: WorkspaceRef,
    id: ProposalId,
    changes: Partial<ProposalFields>,
    seen?: Precondition,
  ): Promise<ProposalView> {
    return this.change(
      ref,
      id,
      async (proposal) => proposal.update(changes, await this.context.of(ref, proposal.leadId)),
      { seen },
    );
  }

  /** Takes the version before it back, unless that was accepted meanwhile, and moves the lead on. */
  send(ref: WorkspaceRef, id: ProposalId, seen?: Precondition): Promise<ProposalView> {
    return this.unitOfWork.run(async () => {
      // Both versions are locked before the lead is: the client may be accepting the former one.
      const proposal = await this.proposals.lock(ref, id);
      if (proposal?.previousVersionId) await this.proposals.lock(ref, proposal.previousVersionId);
      const view = await this.change(
        ref,
        id,
        async (proposal) => proposal.send(await this.context.of(ref, proposal.leadId)),
        { event: 'proposal.sent', seen },
      );
      if (view.previousVersionId) {
        const now = later(this.clock.now(), view.updatedAt);
        await this.change(ref, view.previousVersionId, (previous) => previous.giveWay(now));
      }
      await this.leads.advance(ref, view.leadId, 'proposal_sent', view.updatedAt);
      return view;
    });
  }

  withdraw(ref: WorkspaceRef, id: ProposalId, seen?: Precondition): Promise<ProposalView> {
    return this.change(ref, id, (proposal) => proposal.withdraw(this.clock.now()), { seen });
  }

  rotateLink(ref: WorkspaceRef, id: ProposalId, seen?: Precondition): Promise<ProposalView> {
    return this.change(ref, id, (proposal) => proposal.rotateLink(this.clock.now()), { seen });
  }

  archive(ref: WorkspaceRef, id: ProposalId, seen?: Precondition): Promise<ProposalView> {
    return this.change(ref, id, (proposal) => proposal.archive(this.clock.now()), { seen });
  }

  restore(ref: WorkspaceRef, id: ProposalId, seen?: Precondition): Promise<ProposalView> {
    return this.change(ref, id, (proposal) => proposal.restore(this.clock.now()), { seen });
  }

  /** Ends it if its time is really over and nobody has decided meanwhile. */
  expireOverdue(ref: WorkspaceRef, id: ProposalId): Promise<ProposalView> {
    return this.change(
      ref,
      id,
      async (proposal) => {
        const timeZone = await this.context.timeZone(ref.workspaceId);
        const now = this.clock.now();
        if (proposal.isOpen && proposal.isOverdue(timeZone, now)) proposal.expire(now);
      },
      { event: 'proposal.expired' },
    );
  }

  private change(
    ref: WorkspaceRef,
    id: ProposalId,
    apply: (proposal: Proposal) => Promise<void> | void,
    { event = 'proposal.updated', seen }: { event?: string; seen?: Precondition } = {},
  ): Promise<ProposalView> {
    return this.unitOfWork.run(async () => {
      const proposal = await this.proposals.lock(ref, id);
      if (!proposal) throw new NotFound('proposal');
      const before = this.views.of(proposal);
      seen?.check(before);
      await apply(proposal);
      const happened = this.views.event(event, proposal, before);
      if (Object.keys(happened.previous!).length) await this.proposals.save(proposal, [happened]);
      return this.views.of(proposal);
    });
  }
}
