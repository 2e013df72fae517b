import { Injectable } from '@nestjs/common';
import type { ActingRef } from '../../../kernel/actor';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import type { LeadId, ProposalId } from '../../../kernel/ids';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { Precondition } from '../../../kernel/precondition';
import { imagesOf } from '../domain/presentation';
import { Proposal, type ProposalFields } from '../domain/proposal';
import { PricingContextReader } from './pricing-context';
import { ProposalImages } from './proposal-images';
import { ProposalPolicies } from './proposal-policies';
import { ProposalRepository } from './proposal-repository';
import { type ProposalView, ProposalViews } from './proposal-views';

export type NewProposal = { leadId: LeadId; title: string } & Partial<ProposalFields>;

/** Creates proposals and new versions of them. */
@Injectable()
export class DraftProposal {
  constructor(
    private readonly proposals: ProposalRepository,
    private readonly context: PricingContextReader,
    private readonly policies: ProposalPolicies,
    private readonly images: ProposalImages,
    private readonly views: ProposalViews,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  create(ref: ActingRef, { leadId, ...input }: NewProposal): Promise<ProposalView> {
    return this.unitOfWork.run(async () => {
      const { currency, ...context } = await this.context.of(ref, leadId);
      const fields = await this.policies.beforeCreate(ref, { leadId, previous: null }, input);
      // Counted last, and only for what will be stored: a refusal must not wait for others.
      const draft = (number: number) =>
        Proposal.draft(ref, { leadId, number }, { currency, ...fields }, context);
      draft(0);
      return this.add(draft(await this.proposals.nextNumber(ref)));
    });
  }

  revise(ref: ActingRef, id: ProposalId, seen?: Precondition): Promise<ProposalView> {
    return this.unitOfWork.run(async () => {
      const proposal = await this.proposals.lock(ref, id);
      if (!proposal) throw new NotFound('proposal');
      seen?.check(this.views.of(proposal));
      const { leadId, content } = proposal;
      const context = await this.context.of(ref, leadId);
      const about = { leadId, previous: this.views.of(proposal) };
      const revision = proposal.revise(context, await this.policies.beforeCreate(ref, about, content));
      if (await this.proposals.isSuperseded(proposal)) {
        throw new ValidationFailed({ field: 'version', message: 'is not the latest: revise that one' });
      }
      return this.add(revision);
    });
  }

  private async add(proposal: Proposal): Promise<ProposalView> {
    if (imagesOf(proposal).length > 0) await this.images.refer(proposal);
    await this.proposals.add(proposal, [this.views.event('proposal.created', proposal)]);
    return this.views.of(proposal);
  }
}
