import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import type { Principal } from '../../../kernel/principal';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { Describe, DescribeGroup } from '../../../platform/openapi/describe';
import { ChangeConsent, type ConsentView } from '../application/change-consent';
import { ConsentResponse, LEAD } from './message.dto';
import { shownContact } from './shown-contact';

const NO_PHONE = {
  field: 'phone',
  message: 'the lead has none, and consent is kept by phone number; set it first',
};

@Controller('v1/leads/:id')
@DescribeGroup({
  name: 'Consent',
  description: 'Who doesn’t want messages. Leads decide for themselves too, by answering STOP or START.',
})
@RequireScope('messages:write')
export class ConsentController {
  constructor(private readonly changeConsent: ChangeConsent) {}

  @Post('opt-out')
  @HttpCode(200)
  @Describe({
    operationId: 'optOut',
    summary: 'Opt a lead out of messages',
    description:
      'Nothing more is sent to its number, not even what is queued. Doing it again changes nothing.',
    object: LEAD,
    response: ConsentResponse,
    invalid: NO_PHONE,
  })
  async optOut(@Caller() caller: Principal, @Param('id') id: string): Promise<ConsentView> {
    return shownContact(caller, await this.changeConsent.ofLead(caller, LEAD.read(id), 'stop'));
  }

  @Post('opt-in')
  @HttpCode(200)
  @Describe({
    operationId: 'optIn',
    summary: 'Opt a lead in again',
    description: 'Only when the person has agreed to it.',
    object: LEAD,
    response: ConsentResponse,
    answer: { optedOutAt: null },
    invalid: NO_PHONE,
  })
  async optIn(@Caller() caller: Principal, @Param('id') id: string): Promise<ConsentView> {
    return shownContact(caller, await this.changeConsent.ofLead(caller, LEAD.read(id), 'start'));
  }
}
