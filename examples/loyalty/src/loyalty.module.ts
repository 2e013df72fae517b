import { Module } from '@nestjs/common';
import { AuditActions, EventSubscribers, SettingsNavigation } from 'gala';
import { EarnPoints } from './application/earn-points';
import { LoyaltyAccountRepository } from './application/loyalty-account-repository';
import { LoyaltyQueries } from './application/loyalty-queries';
import { RedeemPoints } from './application/redeem-points';
import { LoyaltyAccountsController } from './http/loyalty-accounts.controller';
import { LoyaltyPagesController } from './http/loyalty-pages.controller';
import { SqlLoyaltyAccountRepository } from './infrastructure/sql-loyalty-account-repository';

@Module({
  controllers: [LoyaltyAccountsController, LoyaltyPagesController],
  providers: [
    EarnPoints,
    LoyaltyQueries,
    RedeemPoints,
    { provide: LoyaltyAccountRepository, useClass: SqlLoyaltyAccountRepository },
  ],
})
export class LoyaltyModule {
  constructor(
    actions: AuditActions,
    navigation: SettingsNavigation,
    subscribers: EventSubscribers,
    earnPoints: EarnPoints,
  ) {
    actions.register({ 'loyalty_account.points_redeemed': 'Redeemed {points} points of {target}' });
    navigation.add({ group: 'Sales', label: 'Loyalty', path: ':mode/loyalty', least: 'member' });
    subscribers.add({ name: 'loyalty', handle: (event) => earnPoints.execute(event) });
  }
}
