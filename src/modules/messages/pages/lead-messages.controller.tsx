import { Controller, Param, Post } from '@nestjs/common';
import * as fieldRules from '../../../platform/http/field-rules';
import type { FormInput } from '../../../platform/pages/form-input';
import { type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { LeadPage } from '../../leads';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { SendMessage } from '../application/send-message';
import { MAX_TEXT } from '../domain/message';

/** The form of the panel on a lead's page. */
@Controller('settings/:workspace/:mode/leads/:lead/messages')
@SettingsPages('member')
export class LeadMessagesController {
  constructor(
    private readonly leadPage: LeadPage,
    private readonly sendMessage: SendMessage,
  ) {}

  @Post()
  async send(
    @InArea() area: Area,
    @Param('lead') id: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const lead = await this.leadPage.find(area, id);
    const text = form.text('message', fieldRules.text(MAX_TEXT));
    const content = { text, template: null };
    const done = await form.submit(() => this.sendMessage.execute(refOf(area), lead.id, content));
    if (done) return new Redirect(LeadPage.path(area, lead.id, 'sent'));
    // The use case names the fields of the API.
    form.problems.push(...form.problems.splice(0).map((problem) => ({ ...problem, field: 'message' })));
    return this.leadPage.show(area, lead, { forms: { message: form } });
  }
}
