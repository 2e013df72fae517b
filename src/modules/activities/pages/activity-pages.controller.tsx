import { Controller, Param, Post } from '@nestjs/common';
import type { Person } from '../../../kernel/actor';
import * as fieldRules from '../../../platform/http/field-rules';
import type { FormInput } from '../../../platform/pages/form-input';
import { type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { SignedInPerson } from '../../accounts';
import { LeadPage } from '../../leads';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { LogActivity } from '../application/log-activity';
import { MAX_TEXT } from '../domain/activity';
import { CHOICES } from './activity-panel';

/** The form of the panel on a lead's page. */
@Controller('settings/:workspace/:mode/leads/:lead/activities')
@SettingsPages('member')
export class ActivityPagesController {
  constructor(
    private readonly leadPage: LeadPage,
    private readonly logActivity: LogActivity,
  ) {}

  @Post()
  async log(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('lead') id: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const lead = await this.leadPage.find(area, id);
    const text = form.text('text', fieldRules.text(MAX_TEXT));
    const { type, direction } = CHOICES.find(({ value }) => value === form.value('kind')) ?? CHOICES[0]!;
    const done = await form.submit(() =>
      this.logActivity.execute(refOf(area), person, lead.id, { type, direction, text }),
    );
    if (done) return new Redirect(LeadPage.path(area, lead.id, 'logged'));
    return this.leadPage.show(area, lead, { forms: { activity: form } });
  }
}
