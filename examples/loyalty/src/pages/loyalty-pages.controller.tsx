import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import {
  type Area,
  fieldRules,
  FormInput,
  HtmlPage,
  InArea,
  listRequest,
  type PageAnswer,
  type Person,
  queryText,
  Redirect,
  refOf,
  settingsPath,
  SettingsPages,
  SignedInPerson,
  Submitted,
} from 'gala';
import { ACCOUNTS_LIST, LoyaltyQueries } from '../application/loyalty-queries';
import { RedeemPoints } from '../application/redeem-points';
import { MOST_POINTS } from '../domain/loyalty-account';
import { LoyaltyPage } from './loyalty-page';

/** Settings → Sales → Loyalty: the clients with points, and a form that redeems points over the phone. */
@Controller('settings/:workspace/:mode/loyalty')
@SettingsPages('member')
export class LoyaltyPagesController {
  constructor(
    private readonly queries: LoyaltyQueries,
    private readonly redeemPoints: RedeemPoints,
  ) {}

  @Get()
  show(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
    return this.overview(request, area, new FormInput());
  }

  @Post()
  async redeem(
    @Req() request: Request,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const email = form.text('email', fieldRules.text(254));
    const points = form.text('points', (value) => fieldRules.integer(1, MOST_POINTS)(Number(value)));
    const done = await form.submit(() =>
      this.redeemPoints.execute(refOf(area), person, { email }, { points: Number(points) }),
    );
    if (done) return new Redirect(`${settingsPath(area, `${area.mode}/loyalty`)}?notice=redeemed`);
    return this.overview(request, area, form);
  }

  private async overview(request: Request, area: Area, form: FormInput): Promise<HtmlPage> {
    const { data, pagination } = await this.queries.list(
      refOf(area),
      {},
      listRequest(request, ACCOUNTS_LIST),
    );
    const page = (
      <LoyaltyPage
        area={area}
        accounts={data}
        nextCursor={pagination.nextCursor}
        form={form}
        redeemed={queryText(request, 'notice') === 'redeemed'}
      />
    );
    return new HtmlPage(page, form.isFaulty ? 422 : 200);
  }
}
