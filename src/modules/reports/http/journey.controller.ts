import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../../kernel/principal';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { PathId } from '../../../platform/http/path-id';
import { Describe } from '../../../platform/openapi/describe';
import { JourneyQueries, type JourneyView } from '../application/journey-queries';
import { JourneyResponse } from './journey.dto';

const LEAD = new PathId('lead', 'lead');

@Controller('/v1/leads/:id/journey')
@ApiTags('Leads')
export class JourneyController {
  constructor(private readonly journeys: JourneyQueries) {}

  @Get()
  @RequireScope('leads:read')
  @Describe({
    operationId: 'getJourney',
    summary: 'Get the journey of a lead',
    description:
      'The first response to it, since when it waits for an answer, and its stays in the stages. What isn’t known is null.',
    object: LEAD,
    response: JourneyResponse,
  })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<JourneyView> {
    return this.journeys.get(caller, LEAD.read(id));
  }
}
