import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../../kernel/page';
import type { Principal } from '../../../kernel/principal';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { PathId } from '../../../platform/http/path-id';
import { Describe } from '../../../platform/openapi/describe';
import { LeadTimeline, type TimelinePage } from '../application/lead-timeline';
import { TimelineQuery, TimelineResponse } from './timeline.dto';

const LEAD = new PathId('lead', 'lead');

@Controller('/v1/leads/:id/timeline')
@ApiTags('Leads')
export class TimelineController {
  constructor(private readonly timeline: LeadTimeline) {}

  @Get()
  @RequireScope('leads:read')
  @Describe({
    operationId: 'getTimeline',
    summary: 'Get the timeline of a lead',
    description:
      'What happened, the latest first: activities, completed tasks, changes of stage, messages, proposals, and calendar events by their start. Parts that need another scope are left out and named in `omitted`.',
    object: LEAD,
    response: TimelineResponse,
    invalid: { field: 'cursor', message: 'is not a cursor of this lead’s timeline' },
  })
  get(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Query() { limit = String(DEFAULT_LIMIT), cursor }: TimelineQuery,
  ): Promise<TimelinePage> {
    const page = { limit: Math.min(Number(limit), MAX_LIMIT), cursor };
    return this.timeline.read(caller, caller.credential.scopes, LEAD.read(id), page);
  }
}
