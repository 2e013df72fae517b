import type { LeadId } from '../../../kernel/ids';
import { Policies, type Policy, type PolicyContext } from '../../../kernel/policies';
import type { ProposalFields } from '../domain/proposal';
import type { ProposalView } from './proposal-views';

/** A draft that is to be created. A field that isn't given is absent. */
export interface ProposalCreation extends PolicyContext {
  readonly leadId: LeadId;
  /** The version that is revised; null for a new proposal. */
  readonly previous: ProposalView | null;
  readonly fields: Readonly<Pick<ProposalFields, 'title'> & Partial<ProposalFields>>;
}

/** All but `update` set no fields. */
export type ProposalAction = 'update' | 'send' | 'withdraw' | 'rotate_link' | 'archive' | 'restore';

/** A change that the workspace makes to a proposal, whose row is locked. What its client does isn't decided on. */
export interface ProposalChange extends PolicyContext {
  /** As it is before the change. */
  readonly proposal: ProposalView;
  readonly action: ProposalAction;
  /** The fields that are given; null clears one. */
  readonly changes: Readonly<Partial<ProposalFields>>;
}

export type ProposalPolicy = Policy<ProposalCreation, ProposalChange>;

/** The rules of other teams for proposals. */
export class ProposalPolicies extends Policies<ProposalCreation, ProposalChange> {}
