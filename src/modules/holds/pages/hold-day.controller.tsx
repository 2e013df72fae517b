import { Controller, Get, Param, Post } from '@nestjs/common';
import type { Person } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import { type HoldId, parseId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { dayIn, startOfDay } from '../../../kernel/time-zone';
import * as fieldRules from '../../../platform/http/field-rules';
import type { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { SignedInPerson } from '../../accounts';
import { DayPage, dayPath } from '../../calendar';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { ChallengeHolds } from '../application/challenge-holds';
import { ChangeHold } from '../application/change-hold';
import { EndHolds } from '../application/end-holds';
import { HoldQueries } from '../application/hold-queries';
import { HOUR_MS } from '../domain/hold-policy';
import { type FinalVerb, FinalActPage } from './final-act-page';
import { HoldQueuesPanel } from './hold-queues-panel';

/** The API's refusal names parameters. */
const AHEAD = 'others are ahead of it: challenge them, or wait until they end';

/** The forms of the panel on a day's page. */
@Controller('settings/:workspace/:mode/calendar/days/:day')
@SettingsPages('member')
export class HoldDayController {
  constructor(
    private readonly queries: HoldQueries,
    private readonly endHolds: EndHolds,
    private readonly challengeHolds: ChallengeHolds,
    private readonly changeHold: ChangeHold,
    private readonly dayPage: DayPage,
    private readonly clock: Clock,
  ) {}

  @Get(':hold/confirm')
  askToConfirm(@InArea() area: Area, @Param() place: Place): Promise<PageAnswer> {
    return this.ask(area, place, 'confirm');
  }

  @Get(':hold/release')
  askToRelease(@InArea() area: Area, @Param() place: Place): Promise<PageAnswer> {
    return this.ask(area, place, 'release');
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
    return this.submit(area, place, form, 'challenged', async (id) => {
      const ref = refOf(area);
      return this.challengeHolds.challenge(ref, id, await this.nearerStart(ref, id, area.workspace.timeZone));
    });
  }

  @Post(':hold/withdraw')
  withdraw(@InArea() area: Area, @Param() place: Place, @Submitted() form: FormInput): Promise<PageAnswer> {
    return this.submit(area, place, form, 'withdrawn', (id) => this.challengeHolds.withdraw(refOf(area), id));
  }

  @Post(':hold/extend')
  extend(@InArea() area: Area, @Param() place: Place, @Submitted() form: FormInput): Promise<PageAnswer> {
    const day = form.text('expiresAt', fieldRules.plannableDate);
    return this.submit(area, place, form, 'extended', async (id) => {
      const { startsAt } = await this.queries.get(refOf(area), id);
      // On its own day a hold expires when its time begins, and not at the end of the day.
      const isOwnDay = typeof startsAt !== 'string' && dayIn(area.workspace.timeZone, startsAt) === day;
      const expiresAt = isOwnDay ? startsAt.toISOString() : day;
      return this.changeHold.execute(refOf(area), id, { expiresAt });
    });
  }

  /** The first start of the holds ahead, if it is nearer than the policy's deadline, which would be refused then. */
  private async nearerStart(ref: WorkspaceRef, id: HoldId, zone: string): Promise<Date | undefined> {
    const { ahead } = await this.queries.get(ref, id);
    const { challengeHours } = await this.queries.policy(ref);
    const usual = this.clock.now().getTime() + challengeHours * HOUR_MS;
    const starts: number[] = [];
    for (const other of ahead ?? []) {
      const { startsAt } = await this.queries.get(ref, other);
      starts.push((typeof startsAt === 'string' ? startOfDay(zone, startsAt) : startsAt).getTime());
    }
    const first = Math.min(...starts);
    return first < usual ? new Date(first) : undefined;
  }

  /** Of a hold that has ended, the day's page tells more than a question would. */
  private async ask(area: Area, { day, hold: id }: Place, verb: FinalVerb): Promise<PageAnswer> {
    const hold = await this.queries.get(refOf(area), readId(id));
    const isOpen = hold.status === 'active' && (verb === 'release' || hold.rank === 1);
    if (!isOpen || fieldRules.plannableDate(day)) return new Redirect(dayPath(area, day));
    return new HtmlPage(<FinalActPage area={area} day={day} hold={hold} verb={verb} />);
  }

  private async submit(
    area: Area,
    { day, hold }: Place,
    form: FormInput,
    notice: string,
    act: (id: HoldId) => Promise<unknown>,
  ): Promise<PageAnswer> {
    const id = readId(hold);
    const done = await form.submit(() => act(id));
    if (done) return new Redirect(`${dayPath(area, day)}?notice=${notice}`);
    for (const problem of form.problems) {
      if (problem.field === 'rank' && problem.message.includes('overHolds')) problem.message = AHEAD;
    }
    return this.dayPage.show(area, day, { refused: { panel: HoldQueuesPanel.NAME, about: id, form } });
  }
}

function readId(text: string): HoldId {
  const id = parseId('hold', text);
  if (!id) throw new NotFound('page');
  return id;
}

/** A hold in the address of a day. */
interface Place {
  readonly day: string;
  readonly hold: string;
}
