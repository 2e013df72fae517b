import { Module } from '@nestjs/common';
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
import { SqlProposalReader } from './infrastructure/sql-proposal-reader';
import { SqlProposalRepository } from './infrastructure/sql-proposal-repository';
import { VisitorRetention } from './infrastructure/visitor-retention';

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
    VisitorRetention,
    { provide: ProposalReader, useClass: SqlProposalReader },
    { provide: ProposalRepository, useClass: SqlProposalRepository },
    { provide: PublicLinks, useClass: PageLinks },
  ],
  exports: [ChangeProposal, DraftProposal, ProposalQueries],
})
export class ProposalsModule {}
