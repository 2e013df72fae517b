import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { NotFound } from '../../../kernel/errors';
import { type HoldId, parseId } from '../../../kernel/ids';
import * as fieldRules from '../../../platform/http/field-rules';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { HeldSpaces } from '../../calendar';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { ChallengeHolds } from '../application/challenge-holds';
import { ChangeHold } from '../application/change-hold';
import { EndHolds } from '../application/end-holds';
import { HoldQueries } from '../application/hold-queries';
import { type FaultyHold, HoldDayPage } from './hold-day-page';
import { dayPath } from './hold-paths';

const FIRST_HOLDS = {
  page: 1,
  limit: 100,
  sort: { field: 'startsAt', descending: false },
  fingerprint: '',
} as const;

/** The live holds of a day, from Settings → Sales → Calendar. Every member may read leads, and so the titles of all holds. */
@Controller('settings/:workspace/:mode/calendar/days/:day')
@SettingsPages('member')
export class HoldDayController {
  constructor(
    private readonly queries: HoldQueries,
    private readonly endHolds: EndHolds,
    private readonly challengeHolds: ChallengeHolds,
    private readonly changeHold: ChangeHold,
    private readonly spaces: HeldSpaces,
  ) {}

  @Get()
  show(@Req() request: Request, @InArea() area: Area, @Param('day') day: string): Promise<HtmlPage> {
    return this.page(area, day, { notice: queryText(request, 'notice') });
  }

  @Post(':hold/confirm')
  confirm(
    @InArea() area: Area,
    @SignedInPerson() actor: Person,
    @Param() place: Place,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    return this.submit(area, place, form, 'confirmed', (id) =>
      this.endHolds.confirm({ ...refOf(area), actor }, id, false),
    );
  }

  @Post(':hold/release')
  release(@InArea() area: Area, @Param() place: Place, @Submitted() form: FormInput): Promise<PageAnswer> {
    return this.submit(area, place, form, 'released', (id) => this.endHolds.release(refOf(area), id));
  }

  @Post(':hold/challenge')
  challenge(@InArea() area: Area, @Param() place: Place, @Submitted() form: FormInput): Promise<PageAnswer> {
    return this.submit(area, place, form, 'challenged', (id) =>
      this.challengeHolds.challenge(refOf(area), id, undefined),
    );
  }

  @Post(':hold/withdraw')
  withdraw(@InArea() area: Area, @Param() place: Place, @Submitted() form: FormInput): Promise<PageAnswer> {
    return this.submit(area, place, form, 'withdrawn', (id) => this.challengeHolds.withdraw(refOf(area), id));
  }

  @Post(':hold/extend')
  extend(@InArea() area: Area, @Param() place: Place, @Submitted() form: FormInput): Promise<PageAnswer> {
    const expiresAt = form.text('expiresAt', fieldRules.plannableDate);
    return this.submit(area, place, form, 'extended', (id) =>
      this.changeHold.execute(refOf(area), id, { expiresAt }),
    );
  }

  private async submit(
    area: Area,
    { day, hold }: Place,
    form: FormInput,
    notice: string,
    act: (id: HoldId) => Promise<unknown>,
  ): Promise<PageAnswer> {
    const id = parseId('hold', hold);
    if (!id) throw new NotFound('page');
    const done = await form.submit(() => act(id));
    if (done) return new Redirect(`${dayPath(area, day)}?notice=${notice}`);
    return this.page(area, day, { faulty: { id, form } });
  }

  private async page(
    area: Area,
    day: string,
    { notice = '', faulty }: { notice?: string; faulty?: FaultyHold },
  ): Promise<HtmlPage> {
    if (fieldRules.plannableDate(day)) throw new NotFound('page');
    const ref = refOf(area);
    const shown = { status: 'active', from: day, to: day } as const;
    const { data: holds, pagination } = await this.queries.list(ref, shown, FIRST_HOLDS);
    const spaceNames = await this.spaces.names(ref, [...new Set(holds.flatMap(({ spaceIds }) => spaceIds))]);
    return new HtmlPage(
      <HoldDayPage
        area={area}
        day={day}
        holds={holds}
        isCut={pagination.total > holds.length}
        spaceNames={spaceNames}
        faulty={faulty}
        notice={notice}
      />,
      faulty ? 422 : 200,
    );
  }
}

/** A hold in the address of a day. */
interface Place {
  readonly day: string;
  readonly hold: string;
}
