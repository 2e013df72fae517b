import { Controller, Param, Post } from '@nestjs/common';
import type { Person } from '../../../kernel/actor';
import { NotFound } from '../../../kernel/errors';
import { type HoldId, parseId } from '../../../kernel/ids';
import * as fieldRules from '../../../platform/http/field-rules';
import type { FormInput } from '../../../platform/pages/form-input';
import { type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { SignedInPerson } from '../../accounts';
import { DayPage, dayPath } from '../../calendar';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { ChallengeHolds } from '../application/challenge-holds';
import { ChangeHold } from '../application/change-hold';
import { EndHolds } from '../application/end-holds';
import { HoldQueuesPanel } from './hold-queues-panel';

/** The forms of the panel on a day's page. */
@Controller('settings/:workspace/:mode/calendar/days/:day')
@SettingsPages('member')
export class HoldDayController {
  constructor(
    private readonly endHolds: EndHolds,
    private readonly challengeHolds: ChallengeHolds,
    private readonly changeHold: ChangeHold,
    private readonly dayPage: DayPage,
  ) {}

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
    return this.dayPage.show(area, day, { refused: { panel: HoldQueuesPanel.NAME, about: id, form } });
  }
}

/** A hold in the address of a day. */
interface Place {
  readonly day: string;
  readonly hold: string;
}
