import type { DomainEvent } from '../../../kernel/domain-event';
import type { ProposalId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Proposal } from '../domain/proposal';

/** What is behind a link that a client has. */
export interface LinkedProposal {
  readonly proposal: Proposal;
  readonly workspace: { readonly name: string; readonly timeZone: string; readonly locale: string };
}

export abstract class ProposalRepository {
  /**
   * The next number of the workspace and mode. Until the unit of work ends nobody else gets one, so that no number is
   * missing when it is given up.
   */
  abstract nextNumber(ref: WorkspaceRef): Promise<number>;
  abstract add(proposal: Proposal, events: DomainEvent[]): Promise<void>;
  /** Reads a proposal and keeps others from changing it until the unit of work ends. */
  abstract lock(ref: WorkspaceRef, id: ProposalId): Promise<Proposal | undefined>;
  /** Writes a proposal that was locked. */
  abstract save(proposal: Proposal, events: DomainEvent[]): Promise<void>;
  /** Whether there is a later version of it. */
  abstract isSuperseded(proposal: Proposal): Promise<boolean>;
  abstract findByToken(token: string): Promise<LinkedProposal | undefined>;
  /** Whether any of these hashes of a visitor is new, and the proposal may have another visitor. */
  abstract remembersMore(proposal: Proposal, visitor: readonly Buffer[], now: Date): Promise<boolean>;
  /**
   * Whether this visitor, known by any of these hashes, is seen for the first time. Remembers all of them, unless the
   * proposal has had as many new visitors as it may. The proposal must be locked.
   */
  abstract isFirstVisit(proposal: Proposal, visitor: readonly Buffer[], now: Date): Promise<boolean>;
  /** Offers that nobody decided on in time, the longest overdue first. */
  abstract listOverdue(now: Date): Promise<{ ref: WorkspaceRef; id: ProposalId }[]>;
}
