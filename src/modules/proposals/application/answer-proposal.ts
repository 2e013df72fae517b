import { Injectable } from '@nestjs/common';
import { causedBy } from '../../../kernel/current-cause';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { ChangeLead, HoldLead } from '../../leads';
import { type Acceptance, type Proposal, PUBLIC_TOKEN } from '../domain/proposal';
import { type LinkedProposal, ProposalRepository } from './proposal-repository';
import { ProposalViews } from './proposal-views';

/** The result of an answer: whether it counts, and the current proposal. */
export type Answered = LinkedProposal & { readonly counts: boolean };

/** The client's use cases: read, accept, decline. They return undefined for an unknown or ended link. */
@Injectable()
export class AnswerProposal {
  constructor(
    private readonly proposals: ProposalRepository,
    private readonly leads: ChangeLead,
    private readonly holdLead: HoldLead,
    private readonly views: ProposalViews,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** An overdue proposal is shown as expired, even before the expiry job has run. */
  async find(token: string): Promise<LinkedProposal | undefined> {
    const linked = await this.follow(token);
    if (linked) this.expireIfOverdue(linked, this.clock.now());
    return linked;
  }

  /** Records the first view of each visitor, who is known by any of the hashes in `visitor`. */
  async noteVisit(seen: Proposal, visitor: readonly Buffer[]): Promise<void> {
    // Only visits that change something take the lock.
    if (!seen.isOpen || !(await this.proposals.remembersMore(seen, visitor, this.clock.now()))) return;
    await this.unitOfWork.run(async () => {
      const linked = await this.lock(seen.publicToken!);
      const now = this.clock.now();
      if (!linked?.proposal.isOpen || linked.proposal.isOverdue(linked.workspace.timeZone, now)) return;
      if (!(await this.proposals.isFirstVisit(linked.proposal, visitor, now))) return;
      const { proposal } = linked;
      await byClient(proposal, () => this.save(proposal, 'proposal.viewed', () => proposal.view(now)));
    });
  }

  accept(token: string, acceptance: Acceptance): Promise<Answered | undefined> {
    return this.unitOfWork.run(async () => {
      const answered = await this.answer(token, 'proposal.accepted', (proposal, now) =>
        proposal.accept(acceptance, now),
      );
      if (answered?.counts) {
        const { proposal } = answered;
        const { leadId, updatedAt } = proposal;
        await byClient(proposal, () => this.leads.advanceTo(proposal, leadId, 'proposalAccepted', updatedAt));
      }
      return answered;
    });
  }

  decline(token: string, reason: string | null): Promise<Answered | undefined> {
    return this.answer(token, 'proposal.declined', (proposal, now) => proposal.decline(reason, now));
  }

  /** The first of several concurrent answers and withdrawals counts: each waits for the lock. */
  private answer(
    token: string,
    event: string,
    apply: (proposal: Proposal, now: Date) => void,
  ): Promise<Answered | undefined> {
    return this.unitOfWork.run(async () => {
      const linked = await this.lock(token);
      if (!linked) return undefined;
      const { proposal } = linked;
      await this.holdLead.execute(proposal, proposal.leadId);
      const now = this.clock.now();
      if (proposal.isOpen && proposal.isOverdue(linked.workspace.timeZone, now)) {
        await this.save(proposal, 'proposal.expired', () => proposal.expire(now));
      }
      const counts = proposal.isOpen;
      if (counts) await byClient(proposal, () => this.save(proposal, event, () => apply(proposal, now)));
      return { ...linked, counts };
    });
  }

  private expireIfOverdue({ proposal, workspace }: LinkedProposal, now: Date): void {
    if (proposal.isOpen && proposal.isOverdue(workspace.timeZone, now)) proposal.expire(now);
  }

  private async follow(token: string): Promise<LinkedProposal | undefined> {
    return PUBLIC_TOKEN.test(token) ? this.proposals.findByToken(token) : undefined;
  }

  /** The link may have ended while this waited for the lock. */
  private async lock(token: string): Promise<LinkedProposal | undefined> {
    const linked = await this.follow(token);
    const proposal = linked && (await this.proposals.lock(linked.proposal, linked.proposal.id));
    return proposal?.publicToken === token ? { ...linked!, proposal } : undefined;
  }

  private async save(proposal: Proposal, event: string, apply: (proposal: Proposal) => void): Promise<void> {
    const before = this.views.of(proposal);
    apply(proposal);
    await this.proposals.save(proposal, [this.views.event(event, proposal, before)]);
  }
}

function byClient<Result>({ leadId }: Proposal, work: () => Promise<Result>): Promise<Result> {
  return causedBy({ type: 'client', id: leadId }, work);
}
