import { Body, Controller, Get, Patch } from '@nestjs/common';
import { actorOf } from '../../../kernel/actor';
import type { Principal } from '../../../kernel/principal';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { Describe } from '../../../platform/openapi/describe';
import { PipelineQueries } from '../application/pipeline-queries';
import { ShapePipeline } from '../application/shape-pipeline';
import type { Automations } from '../domain/stage';
import { AutomationsResponse, UpdateAutomationsBody } from './stage.dto';
import { ApiTags } from '@nestjs/swagger';

@Controller('/v1/automations')
@ApiTags('Stages')
export class AutomationsController {
  constructor(
    private readonly shape: ShapePipeline,
    private readonly queries: PipelineQueries,
  ) {}

  @Get()
  @RequireScope('leads:read')
  @Describe({
    operationId: 'getAutomations',
    summary: 'Get the automations',
    description:
      'The stages that leads move to by themselves, forward only and whatever the rules of a stage.',
    response: AutomationsResponse,
  })
  get(@Caller() caller: Principal): Promise<Automations> {
    return this.queries.automations(caller);
  }

  @Patch()
  @RequireScope('schema:write')
  @Describe({
    operationId: 'updateAutomations',
    summary: 'Update the automations',
    description: 'Changes the given ones alone. Each leads to a stage whose outcome isn’t `lost`.',
    response: AutomationsResponse,
    invalid: { field: 'visitBooked', message: 'must be a stage whose outcome isn’t lost' },
  })
  update(@Caller() caller: Principal, @Body() body: UpdateAutomationsBody): Promise<Automations> {
    return this.shape.automate(caller, actorOf(caller), { ...body });
  }
}
