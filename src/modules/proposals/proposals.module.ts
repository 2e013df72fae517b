import { Module } from '@nestjs/common';
import { Retention } from '../../platform/jobs/retention';
import { AnswerProposal } from './application/answer-proposal';
import { ChangeProposal } from './application/change-proposal';
import { DraftProposal } from './application/draft-proposal';
import { PricingContextReader } from './application/pricing-context';
import { ProposalQueries, ProposalReader } from './application/proposal-queries';
import { ProposalRepository } from './application/proposal-repository';
import { ProposalViews, PublicLinks } from './application/proposal-views';
import { ClientController } from './http/client.controller';
import { PageLinks } from './http/page-links';
import { ProposalBodies } from './http/proposal-bodies';
import { ProposalsController } from './http/proposals.controller';
import { ExpiryJob } from './infrastructure/expiry-job';
import { PostgresProposalReader } from './infrastructure/proposal.reader';
import { PostgresProposalRepository } from './infrastructure/proposal.repository';

/** A visitor who comes back later counts as a new one. */
const KEEP_VISITORS_MS = 90 * 24 * 3600 * 1000;

@Module({
  controllers: [ProposalsController, ClientController],
  providers: [
    AnswerProposal,
    ChangeProposal,
    DraftProposal,
    ExpiryJob,
    ProposalBodies,
    PricingContextReader,
    ProposalQueries,
    ProposalViews,
    { provide: ProposalReader, useClass: PostgresProposalReader },
    { provide: ProposalRepository, useClass: PostgresProposalRepository },
    { provide: PublicLinks, useClass: PageLinks },
  ],
  exports: [ChangeProposal, DraftProposal, ProposalQueries],
})
export class ProposalsModule {
  constructor(retention: Retention) {
    retention.keep('proposal_visitors', 'first_seen_at', KEEP_VISITORS_MS);
  }
}
