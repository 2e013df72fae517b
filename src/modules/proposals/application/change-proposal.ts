import { Injectable } from '@nestjs/common';
import { type ActingRef, timelineActorOf } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import type { ProposalId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { Precondition } from '../../../kernel/precondition';
import { later } from '../../../kernel/time';
import { ChangeLead } from '../../leads';
import { imagesOf } from '../domain/presentation';
import type { Proposal, ProposalFields } from '../domain/proposal';
import { PricingContextReader } from './pricing-context';
import { ProposalImages } from './proposal-images';
import { type ProposalAction, ProposalPolicies } from './proposal-policies';
import { ProposalRepository } from './proposal-repository';
import { type ProposalView, ProposalViews } from './proposal-views';

interface ChangeOptions {
  /** Without one, policies aren't asked. */
  action?: ProposalAction;
  event?: string;
  seen?: Precondition;
}

/** What the workspace does with its proposals, one change of a proposal at a time. */
@Injectable()
export class ChangeProposal {
  constructor(
    private readonly proposals: ProposalRepository,
    private readonly context: PricingContextReader,
    private readonly leads: ChangeLead,
    private readonly policies: ProposalPolicies,
    private readonly images: ProposalImages,
    private readonly views: ProposalViews,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  update(
    ref: ActingRef,
    id: ProposalId,
    changes: Partial<ProposalFields>,
    seen?: Precondition,
  ): Promise<ProposalView> {
    return this.change(
      ref,
      id,
      async (proposal) => {
        const context = await this.context.of(ref, proposal.leadId);
        const about = { proposal: this.views.of(proposal), action: 'update' } as const;
        const before = JSON.stringify(imagesOf(proposal));
        proposal.update(await this.policies.beforeChange(ref, about, changes), context);
        if (JSON.stringify(imagesOf(proposal)) !== before) await this.images.refer(proposal);
      },
      { seen },
    );
  }

  /** Takes the version before it back, unless that was accepted meanwhile, and moves the lead on. */
  send(ref: ActingRef, id: ProposalId, seen?: Precondition): Promise<ProposalView> {
    return this.unitOfWork.run(async () => {
      // Both versions are locked before the lead, because the client may be accepting the previous one.
      const proposal = await this.proposals.lock(ref, id);
      if (proposal?.previousVersionId) await this.proposals.lock(ref, proposal.previousVersionId);
      let sent: Proposal | undefined;
      const view = await this.change(
        ref,
        id,
        async (proposal) => {
          const { preparedFor, sentBrand, ...context } = await this.context.ofSending(proposal);
          proposal.send(context, { sentBy: timelineActorOf(ref), preparedFor, sentBrand });
          sent = proposal;
        },
        { action: 'send', event: 'proposal.sent', seen },
      );
      if (view.previousVersionId) {
        const now = later(this.clock.now(), view.updatedAt);
        await this.change(ref, view.previousVersionId, (previous) => previous.giveWay(now));
      }
      await this.leads.advanceTo(ref, view.leadId, 'proposalSent', view.updatedAt);
      // Last, since images are locked after stages.
      await this.images.publish(sent!);
      return view;
    });
  }

  withdraw(ref: ActingRef, id: ProposalId, seen?: Precondition): Promise<ProposalView> {
    return this.change(ref, id, (proposal) => proposal.withdraw(this.clock.now()), {
      action: 'withdraw',
      seen,
    });
  }

  rotateLink(ref: ActingRef, id: ProposalId, seen?: Precondition): Promise<ProposalView> {
    return this.change(ref, id, (proposal) => proposal.rotateLink(this.clock.now()), {
      action: 'rotate_link',
      seen,
    });
  }

  archive(ref: ActingRef, id: ProposalId, seen?: Precondition): Promise<ProposalView> {
    return this.change(ref, id, (proposal) => proposal.archive(this.clock.now()), {
      action: 'archive',
      seen,
    });
  }

  restore(ref: ActingRef, id: ProposalId, seen?: Precondition): Promise<ProposalView> {
    return this.change(ref, id, (proposal) => proposal.restore(this.clock.now()), {
      action: 'restore',
      seen,
    });
  }

  /** Expires it if it is overdue and still undecided under the lock. */
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
    ref: ActingRef,
    id: ProposalId,
    apply: (proposal: Proposal) => Promise<void> | void,
    { action, event = 'proposal.updated', seen }: ChangeOptions = {},
  ): Promise<ProposalView> {
    return this.unitOfWork.run(async () => {
      const proposal = await this.proposals.lock(ref, id);
      if (!proposal) throw new NotFound('proposal');
      const before = this.views.of(proposal);
      seen?.check(before);
      await apply(proposal);
      const happened = this.views.event(event, proposal, before);
      if (Object.keys(happened.previous!).length) {
        if (action) await this.policies.beforeAction(ref, { proposal: before, action });
        await this.proposals.save(proposal, [happened]);
      }
      return this.views.of(proposal);
    });
  }
}
