import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../../kernel/actor';
import type { Principal } from '../../../kernel/principal';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { Describe } from '../../../platform/openapi/describe';
import { ChangeHoldPolicy } from '../application/change-hold-policy';
import { HoldQueries } from '../application/hold-queries';
import type { StoredPolicy } from '../application/hold-repository';
import { HoldPolicyResponse, UpdateHoldPolicyBody } from './hold-policy.dto';

@Controller('/v1/hold-policy')
@ApiTags('Holds')
export class HoldPolicyController {
  constructor(
    private readonly changePolicy: ChangeHoldPolicy,
    private readonly queries: HoldQueries,
  ) {}

  @Get()
  @RequireScope('calendar:read')
  @Describe({
    operationId: 'getHoldPolicy',
    summary: 'Get the hold policy',
    description: 'The rules for holds of the workspace, in the mode of the key.',
    response: HoldPolicyResponse,
  })
  get(@Caller() caller: Principal): Promise<StoredPolicy> {
    return this.queries.policy(caller);
  }

  @Patch()
  @RequireScope('calendar:write')
  @Describe({
    operationId: 'updateHoldPolicy',
    summary: 'Change the hold policy',
    description: 'Changes the given fields alone. Holds keep the deadlines that they have.',
    request: { maxRank: 3 },
    response: HoldPolicyResponse,
    answer: { maxRank: 3, revision: 2 },
    invalid: {
      field: 'defaultDays',
      message: 'defaultDays must be at most maxTotalDays: they would be 90 and 60',
    },
  })
  update(@Caller() caller: Principal, @Body() body: UpdateHoldPolicyBody): Promise<StoredPolicy> {
    return this.changePolicy.execute(caller, actorOf(caller), body);
  }
}
