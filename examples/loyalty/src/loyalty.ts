import { type Feature, Mailer, type Override, readableWith } from 'gala';
import { Loyalty1900000000000 } from '../migrations/1900000000000-loyalty';
import { LoyaltyAccountResponse } from './http/loyalty-account.dto';
import { LoyaltyAccountSchema } from './infrastructure/loyalty-account.schema';
import { GatewayMailer } from './infrastructure/gateway-mailer';
import { LoyaltyModule } from './loyalty.module';

export const loyalty: Feature = {
  module: LoyaltyModule,
  schemas: [LoyaltyAccountSchema],
  migrations: [Loyalty1900000000000],
  scopes: {
    'loyalty:read': 'List and get loyalty accounts',
    'loyalty:write': 'Grant and redeem loyalty points',
  },
  events: readableWith(
    'loyalty:read',
    {
      'loyalty_account.points_earned': 'A client earned points',
      'loyalty_account.points_redeemed': 'A client’s points were redeemed',
      'loyalty_account.points_expired': 'A client’s points were left lying too long',
    },
    {},
    LoyaltyAccountResponse,
  ),
};

/** This company sends all of its mail through a gateway of its own. */
export const overrides: Override[] = [{ provide: Mailer, useClass: GatewayMailer }];
