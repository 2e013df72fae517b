import { Controller, Param, Post } from '@nestjs/common';
import type { Person } from '../../../kernel/actor';
import type { SpaceId } from '../../../kernel/ids';
import { parseLocalTime } from '../../../kernel/local-time';
import * as fieldRules from '../../../platform/http/field-rules';
import type { FormInput } from '../../../platform/pages/form-input';
import { type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { SignedInPerson } from '../../accounts';
import { LeadPage } from '../../leads';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { BookVisit } from '../application/book-visit';

/** The form of the panel on a lead's page. */
@Controller('settings/:workspace/:mode/leads/:lead/visits')
@SettingsPages('member')
export class LeadVisitsController {
  constructor(
    private readonly leadPage: LeadPage,
    private readonly bookVisit: BookVisit,
  ) {}

  @Post()
  async book(
    @InArea() area: Area,
    @SignedInPerson() actor: Person,
    @Param('lead') id: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const lead = await this.leadPage.find(area, id);
    const startsAt = parseLocalTime(area.workspace.timeZone, form.value('startsAt'));
    form.text('startsAt', () =>
      startsAt ? fieldRules.plannableInstant(startsAt.toISOString()) : 'must be a day and a time',
    );
    const spaceId = form.optional('spaceId', fieldRules.idOf('space')) as SpaceId | null;
    const done = await form.submit(() =>
      this.bookVisit.execute({ ...refOf(area), actor }, lead.id, {
        startsAt: startsAt!.toISOString(),
        ...(spaceId && { spaces: { field: 'spaceId' as const, ids: [spaceId] } }),
      }),
    );
    if (done) return new Redirect(LeadPage.path(area, lead.id, 'visit-booked'));
    return this.leadPage.show(area, lead, { forms: { visit: form } });
  }
}
