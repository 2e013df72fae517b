import { Controller, Get, Param, Post } from '@nestjs/common';
import type { Person } from '../../../kernel/actor';
import { NotFound } from '../../../kernel/errors';
import * as fieldRules from '../../../platform/http/field-rules';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { SignedInPerson } from '../../accounts';
import {
  CalendarQueries,
  ClashTexts,
  dayPath,
  PlanLeads,
  readGuests,
  readSpaces,
  readTimes,
  renameProblems,
} from '../../calendar';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { type HoldInput, PlaceHold } from '../application/place-hold';
import { HoldFormPage } from './hold-form-page';

/** Settings → Sales → Calendar → a day → Hold a date. */
@Controller('settings/:workspace/:mode/calendar/days/:day/hold')
@SettingsPages('member')
export class HoldFormController {
  constructor(
    private readonly placeHold: PlaceHold,
    private readonly calendar: CalendarQueries,
    private readonly leads: PlanLeads,
    private readonly clashes: ClashTexts,
  ) {}

  @Get()
  show(@InArea() area: Area, @Param('day') day: string): Promise<HtmlPage> {
    return this.page(area, day, new FormInput({ startDay: day }));
  }

  @Post()
  async place(
    @InArea() area: Area,
    @SignedInPerson() actor: Person,
    @Param('day') day: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const ref = { ...refOf(area), actor };
    const input = await this.read(area, form);
    const done = await form.submit(() =>
      this.clashes.run(ref, input.spaces.ids, () => this.placeHold.execute(ref, input)),
    );
    if (done) return new Redirect(`${dayPath(area, form.value('startDay'))}?notice=held`);
    return this.page(area, day, form);
  }

  private async read(area: Area, form: FormInput): Promise<HoldInput> {
    const lead = await this.leads.read(refOf(area), form);
    const ids = readSpaces(form);
    if (ids.length === 0) form.problems.push({ field: 'spaceIds', message: 'Choose at least one space' });
    return {
      title: form.text('title', fieldRules.text(300)),
      ...readTimes(form, area.workspace.timeZone),
      spaces: { field: 'spaceIds', ids },
      guests: readGuests(form),
      leadId: lead?.id ?? null,
      expiresAt: form.optional('expiresAt', fieldRules.plannableDate) ?? undefined,
      notes: form.optional('notes', fieldRules.text(5000)),
    };
  }

  private async page(area: Area, day: string, form: FormInput): Promise<HtmlPage> {
    if (fieldRules.plannableDate(day)) throw new NotFound('page');
    renameProblems(form);
    const spaces = await this.calendar.spacesInUse(refOf(area));
    return new HtmlPage(
      <HoldFormPage area={area} day={day} form={form} spaces={spaces} />,
      form.isFaulty ? 422 : 200,
    );
  }
}
