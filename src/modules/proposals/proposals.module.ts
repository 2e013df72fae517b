import { Module } from '@nestjs/common';
import { PolicyRunner } from '../../kernel/policies';
import { TimelineParts } from '../../kernel/timeline';
import { Exports } from '../../platform/exports/exports';
import { fieldCheck } from '../../platform/http/field-check';
import { Retention } from '../../platform/jobs/retention';
import { LeadPageParts } from '../leads';
import { OverviewParts, SettingsNavigation, settingsPath, SetupSteps } from '../shell';
import { AnswerProposal } from './application/answer-proposal';
import { ChangeProposal } from './application/change-proposal';
import { ClientOffers } from './application/client-offers';
import { DraftProposal } from './application/draft-proposal';
import { PricingContextReader } from './application/pricing-context';
import { ProposalImages } from './application/proposal-images';
import { ProposalPolicies } from './application/proposal-policies';
import { ProposalQueries, ProposalReader } from './application/proposal-queries';
import { ProposalRepository } from './application/proposal-repository';
import { ProposalViews, PublicLinks } from './application/proposal-views';
import { ProposalResponse, UpdateProposalBody } from './http/proposal.dto';
import { ProposalsController } from './http/proposals.controller';
import { ProposalsExportController } from './http/proposals-export.controller';
import { ExpiryJob } from './infrastructure/expiry-job';
import { ProposalTimeline } from './infrastructure/proposal-timeline';
import { PostgresProposalReader } from './infrastructure/proposal.reader';
import { PostgresProposalRepository } from './infrastructure/proposal.repository';
import { ClientController } from './pages/client.controller';
import { DraftPagesController } from './pages/draft-pages.controller';
import { ImagesController } from './pages/images.controller';
import { PageLinks } from './pages/page-links';
import { PreviewController } from './pages/preview.controller';
import { ProposalBodies } from './pages/proposal-bodies';
import { ProposalPageController } from './pages/proposal-page.controller';
import { ProposalsPagesController } from './pages/proposals-pages.controller';
import { ProposalsPanel } from './pages/proposals-panel';
import { ExpiringProposals, OpenProposalsFigure } from './pages/proposals-summary';
import { ValueColumn } from './pages/value-column';

/** A visitor who returns later counts as new. */
const KEEP_VISITORS_MS = 90 * 24 * 3600 * 1000;

@Module({
  controllers: [
    ProposalsController,
    ProposalsExportController,
    ProposalsPagesController,
    // Before the page of a proposal, whose path `new` would match.
    DraftPagesController,
    ImagesController,
    PreviewController,
    ProposalPageController,
    ClientController,
  ],
  providers: [
    AnswerProposal,
    ChangeProposal,
    ClientOffers,
    DraftProposal,
    ExpiringProposals,
    ExpiryJob,
    OpenProposalsFigure,
    ProposalBodies,
    ProposalImages,
    PricingContextReader,
    ProposalQueries,
    ProposalsPanel,
    ProposalTimeline,
    ProposalViews,
    ValueColumn,
    {
      provide: ProposalPolicies,
      useFactory: (runner: PolicyRunner) =>
        new ProposalPolicies('proposal', runner, fieldCheck(UpdateProposalBody, 'lineItems', 'sections')),
      inject: [PolicyRunner],
    },
    { provide: ProposalReader, useClass: PostgresProposalReader },
    { provide: ProposalRepository, useClass: PostgresProposalRepository },
    { provide: PublicLinks, useClass: PageLinks },
  ],
  exports: [ChangeProposal, ClientOffers, DraftProposal, ProposalPolicies, ProposalQueries],
})
export class ProposalsModule {
  constructor(
    retention: Retention,
    navigation: SettingsNavigation,
    timeline: TimelineParts,
    timelinePart: ProposalTimeline,
    exports: Exports,
    leadPages: LeadPageParts,
    panel: ProposalsPanel,
    valueColumn: ValueColumn,
    overview: OverviewParts,
    openFigure: OpenProposalsFigure,
    expiring: ExpiringProposals,
    steps: SetupSteps,
    queries: ProposalQueries,
  ) {
    overview.add(openFigure, expiring);
    steps.add({
      position: 3,
      label: 'Send a proposal',
      hint: 'The client gets a page to read, print and accept it.',
      path: (area) => settingsPath(area, `${area.mode}/proposals`),
      isDone: (workspaceId) => queries.hasSent(workspaceId),
    });
    leadPages.addColumn(valueColumn);
    leadPages.addPanel(panel);
    exports.add('proposals', ProposalResponse);
    timeline.add(timelinePart);
    retention.keep('proposal_visitors', 'first_seen_at', KEEP_VISITORS_MS);
    navigation.add(
      { group: 'Sales', label: 'Pipeline', path: ':mode/pipeline', least: 'member', position: 1 },
      { group: 'Sales', label: 'Proposals', path: ':mode/proposals', least: 'member', position: 2 },
    );
  }
}
