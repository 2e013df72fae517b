import { Module } from '@nestjs/common';
import {
  AuditActions,
  BackgroundJobs,
  CredentialVerifiers,
  describeError,
  EventSubscribers,
  LeadPageParts,
  LeadPolicies,
  Logger,
  PeriodicWork,
  SettingsNavigation,
  TimelineParts,
} from 'gala';
import { EarnPoints } from './application/earn-points';
import { EnquireAgain } from './application/enquire-again';
import { ExpirePoints } from './application/expire-points';
import { GrantPoints } from './application/grant-points';
import { LoyaltyAccountRepository } from './application/loyalty-account-repository';
import { LoyaltyQueries } from './application/loyalty-queries';
import { LoyaltySettings } from './application/loyalty-settings';
import { MemberPolicy } from './application/member-policy';
import { RedeemPoints } from './application/redeem-points';
import { TillTokens } from './application/till-tokens';
import { LoyaltyAccountsController } from './http/loyalty-accounts.controller';
import { LoyaltyPanel } from './pages/loyalty-panel';
import { LoyaltyPagesController } from './pages/loyalty-pages.controller';
import { LoyaltyProgrammeController } from './http/loyalty-programme.controller';
import { LoyaltySettingsController } from './pages/loyalty-settings.controller';
import { TillsController } from './pages/tills.controller';
import { PostgresLoyaltyAccountRepository } from './infrastructure/loyalty-account.repository';
import { BookingTimeline } from './infrastructure/booking-timeline';
import { LoyaltyMetrics } from './infrastructure/loyalty-metrics';
import { TillVerifier } from './infrastructure/till-verifier';

const EXPIRY_INTERVAL_MS = 3600 * 1000;

@Module({
  controllers: [
    LoyaltyAccountsController,
    LoyaltyPagesController,
    LoyaltyProgrammeController,
    LoyaltySettingsController,
    TillsController,
  ],
  providers: [
    BookingTimeline,
    EarnPoints,
    EnquireAgain,
    ExpirePoints,
    GrantPoints,
    LoyaltyMetrics,
    LoyaltyPanel,
    LoyaltyQueries,
    LoyaltySettings,
    MemberPolicy,
    RedeemPoints,
    TillTokens,
    TillVerifier,
    { provide: LoyaltyAccountRepository, useClass: PostgresLoyaltyAccountRepository },
  ],
})
export class LoyaltyModule {
  constructor(
    actions: AuditActions,
    navigation: SettingsNavigation,
    subscribers: EventSubscribers,
    policies: LeadPolicies,
    verifiers: CredentialVerifiers,
    timeline: TimelineParts,
    jobs: BackgroundJobs,
    logger: Logger,
    earnPoints: EarnPoints,
    expirePoints: ExpirePoints,
    tills: TillVerifier,
    memberPolicy: MemberPolicy,
    bookingTimeline: BookingTimeline,
    leadPages: LeadPageParts,
    panel: LoyaltyPanel,
  ) {
    actions.register({
      'loyalty_account.points_granted': 'Granted {points} points to {target}',
      'loyalty_account.points_redeemed': 'Redeemed {points} points of {target} (receipt {receipt})',
    });
    navigation.add({ group: 'Sales', label: 'Loyalty', path: ':mode/loyalty', least: 'member' });
    navigation.add({ group: 'Venue', label: 'Tills', path: ':mode/loyalty-tills', least: 'admin' });
    subscribers.add({ name: 'loyalty', handle: (event) => earnPoints.execute(event) });
    policies.add(memberPolicy);
    verifiers.register(tills);
    timeline.add(bookingTimeline);
    leadPages.addPanel(panel);
    navigation.add({
      group: 'Venue',
      label: 'Loyalty settings',
      path: ':mode/loyalty-settings',
      least: 'admin',
    });
    const failed = (error: unknown) =>
      logger.warn(describeError(error), 'old points could not be taken back');
    jobs.register(new PeriodicWork((signal) => expirePoints.execute(signal), EXPIRY_INTERVAL_MS, failed));
  }
}
