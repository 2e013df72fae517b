import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Principal } from '../../../kernel/principal';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { DescribeExport } from '../../../platform/exports/describe-export';
import { exportQuery } from '../../../platform/exports/export-query';
import { Exports } from '../../../platform/exports/exports';
import { CalendarQueries } from '../application/calendar-queries';
import { CalendarEventResponse } from './calendar-event.dto';
import { EVENT } from './calendar-ids';
import { ListEventsQuery, toEventList } from './calendar.query';

class ExportEventsQuery extends exportQuery(ListEventsQuery, CalendarEventResponse) {}

@Controller('/v1/exports/calendar-events')
@ApiTags('Calendar')
export class CalendarExportController {
  constructor(
    private readonly queries: CalendarQueries,
    private readonly exports: Exports,
  ) {}

  @Get()
  @RequireScope('calendar:read')
  @DescribeExport({
    operationId: 'exportCalendarEvents',
    summary: 'Export what is planned',
    description:
      'All that takes place between `from` and `to`, wholly or in part, in the order of creation. Cancelled events are left out unless asked for.',
    example: { id: EVENT.example, type: 'event', title: 'Wedding of Ana and Luis' },
  })
  stream(
    @Caller() caller: Principal,
    @Query() query: ExportEventsQuery,
    @Res() response: Response,
  ): Promise<void> {
    const { range, filter } = toEventList(query);
    const pages = this.queries.all(caller, range, filter);
    const holder = caller.credential.id;
    return this.exports.send(response, { list: 'calendar-events', ref: caller, holder, asked: query, pages });
  }
}
