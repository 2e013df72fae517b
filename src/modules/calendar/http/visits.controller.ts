import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Principal } from '../../../kernel/principal';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { Describe } from '../../../platform/openapi/describe';
import { BookVisit, type VisitInput } from '../application/book-visit';
import type { CalendarEventView } from '../domain/calendar-event';
import { BookVisitBody, CalendarEventResponse } from './calendar-event.dto';
import { EVENTS_PATH } from './calendar-events.controller';
import { LEAD } from './calendar-ids';
import { spaceInput, withoutNulls } from './given';
import { shownEvent } from './shown-event';

@Controller('/v1/leads/:id/visits')
@ApiTags('Calendar')
export class VisitsController {
  constructor(private readonly bookVisit: BookVisit) {}

  @Post()
  @RequireScope('calendar:write')
  @Describe({
    operationId: 'bookVisit',
    summary: 'Book a site visit',
    description:
      'Plans a `visit` of an hour, if no end is given, and moves the lead to the stage `visit_booked`, or the one that the workspace has chosen, unless it is further along already: both or neither. Without the scopes `calendar:read` and `leads:read`, the answer shows a `title` only if the request sent it.',
    object: LEAD,
    status: 201,
    request: { startsAt: '2027-02-03T10:00:00.000Z' },
    response: CalendarEventResponse,
    answer: {
      type: 'visit',
      title: 'Ana Pérez',
      startsAt: '2027-02-03T10:00:00.000Z',
      endsAt: '2027-02-03T11:00:00.000Z',
    },
    setsLocation: true,
    invalid: { field: 'startsAt', message: 'is required' },
  })
  async book(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: BookVisitBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CalendarEventView> {
    const { spaceId, spaceIds, ...input } = withoutNulls<BookVisitBody>(body);
    const spaces = spaceInput({ spaceId, spaceIds });
    const visit = await this.bookVisit.execute(caller, LEAD.read(id), { ...input, spaces } as VisitInput);
    response.setHeader('Location', `${EVENTS_PATH}/${visit.id}`);
    return shownEvent(caller, visit, input);
  }
}
