import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { HtmlPage } from '../../../platform/pages/page-answer';
import { queryText } from '../../../platform/pages/query-text';
import { type Area, InArea, SettingsPages } from '../../shell';
import { readFilter } from './calendar-view';
import { DayPage } from './day-page';

/** Settings → Sales → Calendar → a day. Other modules handle the forms of their panels. */
@Controller('settings/:workspace/:mode/calendar/days/:day')
@SettingsPages('member')
export class DayController {
  constructor(private readonly page: DayPage) {}

  @Get()
  show(@Req() request: Request, @InArea() area: Area, @Param('day') day: string): Promise<HtmlPage> {
    return this.page.show(area, day, { notice: queryText(request, 'notice'), filter: readFilter(request) });
  }
}
