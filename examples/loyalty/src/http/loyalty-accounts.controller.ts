import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  actorOf,
  Caller,
  Describe,
  DescribeGroup,
  DescribeList,
  type Page,
  PageQuery,
  type Principal,
  RequireScope,
  toPageRequest,
} from 'gala';
import { LoyaltyQueries } from '../application/loyalty-queries';
import { RedeemPoints } from '../application/redeem-points';
import type { LoyaltyAccountView } from '../domain/loyalty-account';
import { EXAMPLE_ID, loyaltyAccountId, LoyaltyAccountResponse, RedeemBody } from './loyalty-account.dto';

const ACCOUNT = { name: 'loyalty account', id: EXAMPLE_ID };

@Controller('/v1/loyalty-accounts')
@DescribeGroup({ name: 'Loyalty', description: 'Points that clients earn with what they book.' })
export class LoyaltyAccountsController {
  constructor(
    private readonly queries: LoyaltyQueries,
    private readonly redeemPoints: RedeemPoints,
  ) {}

  @Get()
  @RequireScope('loyalty:read')
  @DescribeList({
    operationId: 'listLoyaltyAccounts',
    summary: 'List loyalty accounts',
    description: 'The latest first.',
    item: LoyaltyAccountResponse,
    list: 'LoyaltyAccountList',
  })
  list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<Page<LoyaltyAccountView>> {
    return this.queries.list(caller, toPageRequest(query, ACCOUNTS_LIST));
  }

  @Get(':id')
  @RequireScope('loyalty:read')
  @Describe({
    operationId: 'getLoyaltyAccount',
    summary: 'Get a loyalty account',
    object: ACCOUNT,
    response: LoyaltyAccountResponse,
  })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<LoyaltyAccountView> {
    return this.queries.get(caller, loyaltyAccountId(id));
  }

  @Post(':id/redeem')
  @HttpCode(200)
  @RequireScope('loyalty:write')
  @Describe({
    operationId: 'redeemLoyaltyPoints',
    summary: 'Redeem points',
    object: ACCOUNT,
    response: LoyaltyAccountResponse,
    invalid: { field: 'points', message: 'must be at most 40: there are no more' },
  })
  redeem(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() { points }: RedeemBody,
  ): Promise<LoyaltyAccountView> {
    return this.redeemPoints.execute(caller, actorOf(caller), { id: loyaltyAccountId(id) }, points);
  }
}

/** What ties a cursor to this list; the page lists the same. */
export const ACCOUNTS_LIST = {
  list: 'loyalty-accounts',
  sort: { field: 'createdAt', descending: true },
  kind: 'instant',
  idPrefix: 'loy',
} as const;
