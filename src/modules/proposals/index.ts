import { readableWith } from '../../kernel/event-types';
import type { Feature } from '../../platform/feature';
import { ProposalResponse } from './http/proposal.dto';
import { ProposalSchema } from './infrastructure/proposal.schema';
import { ProposalsModule } from './proposals.module';

export { ChangeProposal } from './application/change-proposal';
export { type ClientOffer, ClientOffers } from './application/client-offers';
export { DraftProposal, type NewProposal } from './application/draft-proposal';
export {
  type ProposalAction,
  type ProposalChange,
  type ProposalCreation,
  ProposalPolicies,
  type ProposalPolicy,
} from './application/proposal-policies';
export { type ProposalFilter, ProposalQueries } from './application/proposal-queries';
export type { ProposalView } from './application/proposal-views';
export type { ProposalFields } from './domain/proposal';

export const proposals: Feature = {
  module: ProposalsModule,
  schemas: [ProposalSchema],
  scopes: {
    'proposals:read': 'See your proposals: prices, status, answers, but not the links that accept them',
    'proposals:write': 'Create, change and send proposals, and see the links with which clients accept them',
  },
  events: readableWith(
    'proposals:read',
    {
      'proposal.created': 'A proposal was drafted',
      'proposal.updated': 'A proposal was changed, withdrawn, archived or restored',
      'proposal.sent': 'A proposal was sent to its client',
      'proposal.viewed': 'A proposal was viewed for the first time',
      'proposal.accepted': 'A client accepted a proposal',
      'proposal.declined': 'A client declined a proposal',
      'proposal.expired': 'A proposal expired',
    },
    { publicUrl: 'proposals:write' },
    ProposalResponse,
  ),
};
