import type { DomainEvent } from '../../../kernel/domain-event';
import type { ProposalId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Proposal } from '../domain/proposal';

/** The proposal of a client's link. */
export interface LinkedProposal {
  readonly proposal: Proposal;
  readonly workspace: { readonly name: string; readonly timeZone: string; readonly locale: string };
}

export abstract class ProposalRepository {
  /**
   * The next number of the workspace and mode. It is locked until the unit of work ends, so that a rollback leaves no gap.
   */
  abstract nextNumber(ref: WorkspaceRef): Promise<number>;
  abstract add(proposal: Proposal, events: DomainEvent[]): Promise<void>;
  /** Reads a proposal and locks it until the unit of work ends. */
  abstract lock(ref: WorkspaceRef, id: ProposalId): Promise<Proposal | undefined>;
  /** Writes a locked proposal. */
  abstract save(proposal: Proposal, events: DomainEvent[]): Promise<void>;
  /** Whether the proposal has a later version. */
  abstract isSuperseded(proposal: Proposal): Promise<boolean>;
  abstract findByToken(token: string): Promise<LinkedProposal | undefined>;
  /** Whether any of the visitor's hashes is new, and the proposal's limit allows another visitor. */
  abstract remembersMore(proposal: Proposal, visitor: readonly Buffer[], now: Date): Promise<boolean>;
  /**
   * Stores the visitor's hashes, unless the proposal has reached its limit of visitors, and returns whether none was known
   * before. The proposal must be locked.
   */
  abstract isFirstVisit(proposal: Proposal, visitor: readonly Buffer[], now: Date): Promise<boolean>;
  /** Overdue, undecided proposals, the longest overdue first. */
  abstract listOverdue(now: Date): Promise<{ ref: WorkspaceRef; id: ProposalId }[]>;
}
