import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  actorOf,
  Caller,
  Deprecated,
  Describe,
  DescribeGroup,
  DescribeList,
  IfMatch,
  OptionalBody,
  type Page,
  type Precondition,
  type Principal,
  RequireScope,
  toPageRequest,
} from 'gala';
import { EnquireAgain } from '../application/enquire-again';
import { GrantPoints } from '../application/grant-points';
import { ACCOUNTS_LIST, BY_POINTS, LoyaltyQueries } from '../application/loyalty-queries';
import { RedeemPoints } from '../application/redeem-points';
import type { LoyaltyAccountView } from '../domain/loyalty-account';
import {
  ACCOUNT,
  EnquireBody,
  EnquiryResponse,
  GrantsBody,
  ListAccountsQuery,
  LoyaltyAccountResponse,
  PointsResponse,
  RedeemBody,
} from './loyalty-account.dto';

@Controller('/v1/loyalty-accounts')
@DescribeGroup({ name: 'Loyalty', description: 'Points that clients earn with what they book.' })
export class LoyaltyAccountsController {
  constructor(
    private readonly queries: LoyaltyQueries,
    private readonly redeemPoints: RedeemPoints,
    private readonly grantPoints: GrantPoints,
    private readonly enquireAgain: EnquireAgain,
  ) {}

  @Get()
  @RequireScope('loyalty:read')
  @DescribeList({
    operationId: 'listLoyaltyAccounts',
    summary: 'List loyalty accounts',
    description: 'The latest first, unless sorted otherwise.',
    item: LoyaltyAccountResponse,
    list: 'LoyaltyAccountList',
  })
  list(@Caller() caller: Principal, @Query() query: ListAccountsQuery): Promise<Page<LoyaltyAccountView>> {
    const filters = { email: query.email };
    const list = query.sort?.endsWith('points') ? BY_POINTS : ACCOUNTS_LIST;
    const sort = { ...list.sort, descending: query.sort?.startsWith('-') ?? true };
    return this.queries.list(caller, filters, toPageRequest(query, { ...list, sort, filters }));
  }

  @Post('grants')
  @HttpCode(200)
  @RequireScope('loyalty:write')
  @Describe({
    operationId: 'grantLoyaltyPoints',
    summary: 'Grant points',
    description:
      'To several clients at once, such as what they had in an earlier programme: all of it or nothing.',
    response: PointsResponse,
    invalid: { field: 'grants[0].email', message: 'is required' },
  })
  async grant(@Caller() caller: Principal, @Body() body: GrantsBody): Promise<PointsResponse> {
    const grants = body.grants ?? [];
    await this.grantPoints.execute(caller, actorOf(caller), grants);
    return { points: grants.reduce((sum, { points }) => sum + points, 0) };
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
    return this.queries.get(caller, ACCOUNT.read(id));
  }

  @Get(':id/points')
  @RequireScope('loyalty:read')
  @Deprecated({ since: '2026-01-15', sunset: '2027-06-30' })
  @Describe({
    operationId: 'getLoyaltyPoints',
    summary: 'Get the points of an account',
    description: 'Get the account instead.',
    object: ACCOUNT,
    response: PointsResponse,
  })
  async points(@Caller() caller: Principal, @Param('id') id: string): Promise<PointsResponse> {
    const { points } = await this.queries.get(caller, ACCOUNT.read(id));
    return { points };
  }

  @Post(':id/redeem')
  @HttpCode(200)
  @RequireScope('loyalty:write')
  @Describe({
    operationId: 'redeemLoyaltyPoints',
    summary: 'Redeem points',
    object: ACCOUNT,
    response: LoyaltyAccountResponse,
    forbidden: 'A till redeems at most 500 points at a time.',
    invalid: { field: 'points', message: 'must be at most 40: there are no more' },
  })
  redeem(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() { points, receipt }: RedeemBody,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<LoyaltyAccountView> {
    const redemption = { points, receipt: receipt?.number, seen };
    return this.redeemPoints.execute(caller, actorOf(caller), { id: ACCOUNT.read(id) }, redemption);
  }

  @Post(':id/enquire')
  @OptionalBody()
  @RequireScope('loyalty:write')
  @Describe({
    operationId: 'enquireAgain',
    summary: 'Open a lead for a client who wants to come again',
    object: ACCOUNT,
    status: 201,
    response: EnquiryResponse,
  })
  async enquire(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: EnquireBody,
  ): Promise<EnquiryResponse> {
    return { leadId: await this.enquireAgain.execute(caller, ACCOUNT.read(id), body) };
  }
}
