import { Controller, Get, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  type Area,
  fieldRules,
  FormInput,
  InArea,
  listRequest,
  PageRenderer,
  type Person,
  queryText,
  refOf,
  settingsPath,
  SettingsPages,
  SignedInPerson,
  Submitted,
} from 'gala';
import { LoyaltyQueries } from '../application/loyalty-queries';
import { RedeemPoints } from '../application/redeem-points';
import { MOST_POINTS } from '../domain/loyalty-account';
import { ACCOUNTS_LIST } from './loyalty-accounts.controller';
import { LoyaltyPage } from './loyalty-page';

/** In the settings area: who has points, and a form to redeem some on the phone. */
@Controller('settings/:workspace/:mode/loyalty')
@SettingsPages('member')
export class LoyaltyPagesController {
  constructor(
    private readonly queries: LoyaltyQueries,
    private readonly redeemPoints: RedeemPoints,
    private readonly pages: PageRenderer,
  ) {}

  @Get()
  show(@Res() response: Response, @InArea() area: Area): Promise<void> {
    return this.send(response, area, new FormInput());
  }

  @Post()
  async redeem(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<void> {
    const email = form.text('email', fieldRules.text(254));
    const points = form.text('points', (value) => fieldRules.integer(1, MOST_POINTS)(Number(value)));
    const done = await form.submit(() =>
      this.redeemPoints.execute(refOf(area), person, { email }, { points: Number(points) }),
    );
    if (done) this.pages.redirect(response, `${settingsPath(area, `${area.mode}/loyalty`)}?notice=redeemed`);
    else await this.send(response, area, form, 422);
  }

  private async send(response: Response, area: Area, form: FormInput, status = 200): Promise<void> {
    const { data, pagination } = await this.queries.list(
      refOf(area),
      {},
      listRequest(response.req, ACCOUNTS_LIST),
    );
    const page = (
      <LoyaltyPage
        area={area}
        accounts={data}
        nextCursor={pagination.nextCursor}
        form={form}
        redeemed={queryText(response.req, 'notice') === 'redeemed'}
      />
    );
    this.pages.send(response, page, status);
  }
}
