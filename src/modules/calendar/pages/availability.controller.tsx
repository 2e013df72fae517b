import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../../kernel/clock';
import { ValidationFailed } from '../../../kernel/errors';
import type { WorkspaceRef } from '../../../kernel/principal';
import { dayIn } from '../../../kernel/time-zone';
import { HtmlPage } from '../../../platform/pages/page-answer';
import { queryText } from '../../../platform/pages/query-text';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { CalendarQueries } from '../application/calendar-queries';
import type { DayAvailability } from '../domain/availability';
import type { SpaceView } from '../domain/space';
import { AvailabilityPage } from './availability-page';
import { lastDayOf, monthOf } from './month-days';

/** Each has a cell for every day of a month. */
const SPACES_ON_PAGE = 12;

/** Settings → Sales → Calendar → Availability. */
@Controller('settings/:workspace/:mode/calendar/availability')
@SettingsPages('member')
export class AvailabilityPagesController {
  constructor(
    private readonly queries: CalendarQueries,
    private readonly clock: Clock,
  ) {}

  @Get()
  async show(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
    // It waits in a queue of its own, in which one is computed at a time.
    request.res!.leaveTurn?.();
    const ref = refOf(area);
    const today = dayIn(area.workspace.timeZone, this.clock.now());
    const month = monthOf(queryText(request, 'month'), today);
    const all = await this.queries.spacesInUse(ref);
    const pages = Math.max(1, Math.ceil(all.length / SPACES_ON_PAGE));
    const page = Math.min(pages, pageNumber(queryText(request, 'page')));
    const spaces = all.slice((page - 1) * SPACES_ON_PAGE, page * SPACES_ON_PAGE);
    const days = await this.days(ref, month, spaces);
    return new HtmlPage(<AvailabilityPage {...{ area, month, today, spaces, days, page, pages }} />);
  }

  private async days(
    ref: WorkspaceRef,
    month: string,
    spaces: readonly SpaceView[],
  ): Promise<DayAvailability[] | undefined> {
    if (spaces.length === 0) return [];
    try {
      const range = { from: `${month}-01`, to: lastDayOf(month) };
      return (await this.queries.availability(ref, { ...range, spaces })).days;
    } catch (error) {
      if (error instanceof ValidationFailed) return undefined;
      throw error;
    }
  }
}

function pageNumber(text: string): number {
  return /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 1;
}
