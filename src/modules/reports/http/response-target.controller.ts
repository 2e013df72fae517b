import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiSchema, ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../../kernel/actor';
import type { Principal } from '../../../kernel/principal';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { resourceFields } from '../../../platform/http/field';
import { integer } from '../../../platform/http/field-rules';
import { Describe } from '../../../platform/openapi/describe';
import { MAX_TARGET_MINUTES, type ResponseTarget, ResponseTargets } from '../application/response-targets';

const { field, shown } = resourceFields({
  minutes: {
    rule: integer(1, MAX_TARGET_MINUTES),
    description: 'Null: no target, and no event tells of first responses.',
    example: 15,
  },
});

export class UpdateResponseTargetBody {
  @field('minutes', 'nullable') minutes?: number | null;
}

@ApiSchema({ name: 'ResponseTarget' })
export class ResponseTargetResponse implements Record<keyof ResponseTarget, unknown> {
  @shown('minutes', { nullable: true }) minutes!: number | null;
}

@Controller('/v1/response-target')
@ApiTags('Reports')
export class ResponseTargetController {
  constructor(private readonly targets: ResponseTargets) {}

  @Get()
  @RequireScope('leads:read')
  @Describe({
    operationId: 'getResponseTarget',
    summary: 'Get the response target',
    description: 'The time within which the workspace means to give leads their first response.',
    response: ResponseTargetResponse,
  })
  get(@Caller() caller: Principal): Promise<ResponseTarget> {
    return this.targets.get(caller);
  }

  @Patch()
  @RequireScope('schema:write')
  @Describe({
    operationId: 'updateResponseTarget',
    summary: 'Update the response target',
    description:
      'From the first target on, `lead.response_overdue` tells of each lead that waits for longer, and `lead.responded` of each first response, within a minute. Leads that waited for longer before are left out.',
    response: ResponseTargetResponse,
    invalid: { field: 'minutes', message: `must be an integer from 1 to ${MAX_TARGET_MINUTES}` },
  })
  update(
    @Caller() caller: Principal,
    @Body() { minutes }: UpdateResponseTargetBody,
  ): Promise<ResponseTarget> {
    if (minutes === undefined) return this.targets.get(caller);
    return this.targets.change(caller, actorOf(caller), minutes);
  }
}
