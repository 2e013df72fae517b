import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Principal } from '../../../kernel/principal';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { Describe } from '../../../platform/openapi/describe';
import { type AvailabilityAnswer, CalendarQueries } from '../application/calendar-queries';
import { AvailabilityQuery, AvailabilityResponse, toAvailabilityInput } from './calendar.query';

@Controller('/v1/availability')
@ApiTags('Calendar')
export class AvailabilityController {
  constructor(private readonly queries: CalendarQueries) {}

  @Get()
  @RequireScope('calendar:read')
  @Describe({
    operationId: 'getAvailability',
    summary: 'Get availability',
    description: 'How each space stands on each day of the workspace. Archived spaces are left out.',
    response: AvailabilityResponse,
    invalid: { field: 'to', message: 'must not be before from' },
  })
  get(
    @Caller() caller: Principal,
    @Query() query: AvailabilityQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AvailabilityAnswer> {
    // It waits in a queue of its own, in which one is computed at a time.
    response.leaveTurn?.();
    return this.queries.availability(caller, toAvailabilityInput(query));
  }
}
