import { Controller, Param, Post } from '@nestjs/common';
import type { Person } from '../../../kernel/actor';
import type { SpaceId } from '../../../kernel/ids';
import * as fieldRules from '../../../platform/http/field-rules';
import type { FormInput } from '../../../platform/pages/form-input';
import { type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { SignedInPerson } from '../../accounts';
import { LeadPage } from '../../leads';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { PlaceHold } from '../application/place-hold';

/** The form of the panel on a lead's page. */
@Controller('settings/:workspace/:mode/leads/:lead/holds')
@SettingsPages('member')
export class LeadHoldsController {
  constructor(
    private readonly leadPage: LeadPage,
    private readonly placeHold: PlaceHold,
  ) {}

  @Post()
  async place(
    @InArea() area: Area,
    @SignedInPerson() actor: Person,
    @Param('lead') id: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const lead = await this.leadPage.find(area, id);
    const startsAt = form.text('startsAt', fieldRules.plannableDate);
    const spaceId = form.text('spaceId', fieldRules.idOf('space')) as SpaceId;
    const done = await form.submit(() =>
      this.placeHold.execute(
        { ...refOf(area), actor },
        {
          title: lead.name ?? lead.email,
          leadId: lead.id,
          guests: lead.guests,
          spaces: { field: 'spaceId', ids: [spaceId] },
          startsAt,
        },
      ),
    );
    if (done) return new Redirect(LeadPage.path(area, lead.id, 'held'));
    return this.leadPage.show(area, lead, { forms: { hold: form } });
  }
}
