import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import type { Page } from '../../../kernel/page';
import type { Principal } from '../../../kernel/principal';
import type { Precondition } from '../../../kernel/precondition';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { IfMatch } from '../../../platform/http/if-match.decorator';
import { Describe, DescribeGroup, DescribeList } from '../../../platform/openapi/describe';
import { CalendarQueries } from '../application/calendar-queries';
import { ChangeEvent } from '../application/change-event';
import type { EventInput } from '../application/event-input';
import { PlanEvent } from '../application/plan-event';
import type { CalendarEventView } from '../domain/calendar-event';
import { CalendarEventResponse, CreateEventBody, UpdateEventBody } from './calendar-event.dto';
import { EVENT, LEAD, SPACE } from './calendar-ids';
import { ListEventsQuery, toEventList } from './calendar.query';
import { spaceInput, withoutNulls } from './given';
import { shownEvent } from './shown-event';

export const EVENTS_PATH = '/v1/calendar-events';
const TAKEN = {
  field: 'spaceId',
  message: `is taken at that time by ${EVENT.example}; set-up and clearing count`,
};

@Controller(EVENTS_PATH)
@DescribeGroup({
  name: 'Calendar',
  description:
    'What is planned: site visits, events, holds and blocks. No two events or blocks ever overlap in one space.',
})
export class CalendarEventsController {
  constructor(
    private readonly planEvent: PlanEvent,
    private readonly changeEvent: ChangeEvent,
    private readonly queries: CalendarQueries,
  ) {}

  @Post()
  @RequireScope('calendar:write')
  @Describe({
    operationId: 'createCalendarEvent',
    summary: 'Plan something',
    description:
      'Spaces are named by `spaceId` or by `spaceIds`. When another event or block has one of them at that time, set-up and clearing included, the answer is a 422 that names it.',
    status: 201,
    request: {
      type: 'event',
      title: 'Wedding of Ana and Luis',
      startsAt: '2027-06-12T16:00:00.000Z',
      endsAt: '2027-06-13T01:00:00.000Z',
      spaceId: SPACE.example,
      leadId: LEAD.example,
      guests: 120,
    },
    response: CalendarEventResponse,
    invalid: TAKEN,
  })
  async create(@Caller() caller: Principal, @Body() body: CreateEventBody): Promise<CalendarEventView> {
    const { spaceId, spaceIds, ...input } = withoutNulls<CreateEventBody>(body);
    const spaces = spaceInput({ spaceId, spaceIds });
    const event = await this.planEvent.execute(caller, { ...input, spaces } as EventInput);
    return shownEvent(caller, event, input);
  }

  @Get()
  @RequireScope('calendar:read')
  @DescribeList({
    operationId: 'listCalendarEvents',
    summary: 'List what is planned',
    description:
      'All that takes place between `from` and `to`, wholly or in part, in order of time. Cancelled events are left out unless asked for.',
    item: CalendarEventResponse,
    list: 'CalendarEventList',
    invalid: { field: 'to', message: 'must not be before from' },
  })
  list(@Caller() caller: Principal, @Query() query: ListEventsQuery): Promise<Page<CalendarEventView>> {
    const { range, filter, request } = toEventList(query);
    return this.queries.list(caller, range, filter, request);
  }

  @Get(':id')
  @RequireScope('calendar:read')
  @Describe({
    operationId: 'getCalendarEvent',
    summary: 'Get a calendar event',
    description: 'Cancelled ones too.',
    object: EVENT,
    response: CalendarEventResponse,
  })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<CalendarEventView> {
    return this.queries.get(caller, EVENT.read(id));
  }

  @Patch(':id')
  @RequireScope('calendar:write')
  @Describe({
    operationId: 'updateCalendarEvent',
    summary: 'Move or change a calendar event',
    description:
      'Changes the given fields alone; `null` clears what an event may be without; `spaceIds` replaces all its spaces. A cancelled event is restored with `status: confirmed`, and can’t be changed otherwise.',
    object: EVENT,
    request: { startsAt: '2027-06-13T16:00:00.000Z', endsAt: '2027-06-14T01:00:00.000Z' },
    response: CalendarEventResponse,
    answer: { startsAt: '2027-06-13T16:00:00.000Z', endsAt: '2027-06-14T01:00:00.000Z', sequence: 1 },
    invalid: TAKEN,
  })
  async update(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() { spaceId, spaceIds, ...changes }: UpdateEventBody,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<CalendarEventView> {
    const spaces = spaceInput({ spaceId, spaceIds });
    const event = await this.changeEvent.update(caller, EVENT.read(id), { ...changes, spaces }, seen);
    return shownEvent(caller, event, changes);
  }

  @Delete(':id')
  @RequireScope('calendar:write')
  @Describe({
    operationId: 'cancelCalendarEvent',
    summary: 'Cancel a calendar event',
    description:
      'Its spaces are free again. It can still be read and be restored. Cancelling it again changes nothing.',
    object: EVENT,
    response: CalendarEventResponse,
    answer: { status: 'cancelled', sequence: 1, updatedAt: '2027-01-16T11:00:00.000Z', revision: 2 },
  })
  async cancel(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<CalendarEventView> {
    return shownEvent(caller, await this.changeEvent.cancel(caller, EVENT.read(id), seen));
  }
}
