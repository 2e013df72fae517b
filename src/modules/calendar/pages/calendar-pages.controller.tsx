import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { dayIn } from '../../../kernel/time-zone';
import { Configuration } from '../../../platform/config/configuration';
import { addressOf } from '../../../platform/config/public-address';
import { Exports } from '../../../platform/exports/exports';
import { Download, HtmlPage, Redirect } from '../../../platform/pages/page-answer';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { CalendarFeeds } from '../application/calendar-feeds';
import { CalendarQueries } from '../application/calendar-queries';
import { MonthQueries } from '../application/month-queries';
import { CalendarPage, NewCalendarLinkPage } from './calendar-page';
import { calendarPath } from './calendar-paths';
import { readFilter } from './calendar-view';
import { SHOWN_TITLE } from './entry-texts';
import { instantsOf, monthFrame, monthOf } from './month-days';
import { LANES } from './month-layout';

/** Settings → Sales → Calendar: a month, and the visitor's own subscription link. */
@Controller('settings/:workspace/:mode/calendar')
@SettingsPages('member')
export class CalendarPagesController {
  constructor(
    private readonly queries: CalendarQueries,
    private readonly months: MonthQueries,
    private readonly feeds: CalendarFeeds,
    private readonly clock: Clock,
    private readonly configuration: Configuration,
    private readonly exports: Exports,
  ) {}

  @Get()
  async show(
    @Req() request: Request,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
  ): Promise<HtmlPage> {
    const ref = refOf(area);
    const { timeZone } = area.workspace;
    const today = dayIn(timeZone, this.clock.now());
    const frame = monthFrame(monthOf(queryText(request, 'month'), today));
    const filter = readFilter(request);
    const limits = { eachDay: LANES, title: SHOWN_TITLE + 1, nightsOnce: true };
    const month = await this.months.read(ref, instantsOf(timeZone, frame.days), filter, limits);
    const spaces = await this.queries.spacesInUse(ref);
    return new HtmlPage(
      <CalendarPage
        {...month}
        area={area}
        frame={frame}
        today={today}
        filter={filter}
        spaces={spaces}
        spaceNames={await this.queries.spaceNames(ref, month.entries, spaces)}
        showsPast={queryText(request, 'days') === 'all'}
        linkMadeAt={await this.feeds.madeAt(ref, person.id)}
        notice={queryText(request, 'notice')}
      />,
    );
  }

  /** The weeks that the page shows. */
  @Get('export')
  export(@Req() request: Request, @InArea() area: Area, @SignedInPerson() person: Person): Download {
    const ref = refOf(area);
    const today = dayIn(area.workspace.timeZone, this.clock.now());
    const { days } = monthFrame(monthOf(queryText(request, 'month'), today));
    const filter = { ...readFilter(request), status: 'confirmed' } as const;
    const pages = this.queries.all(ref, { from: days[0]!, to: days.at(-1)! }, filter);
    return new Download((response) =>
      this.exports.send(response, { list: 'calendar-events', ref, holder: person.id, asked: {}, pages }),
    );
  }

  /** Shows the link in the response itself: a redirect would need it in an address or in the database. */
  @Post('link')
  async makeLink(@InArea() area: Area, @SignedInPerson() person: Person): Promise<HtmlPage> {
    const token = await this.feeds.create(refOf(area), person);
    const link = addressOf(this.configuration.publicUrl, `/v1/calendar.ics?token=${token}`);
    return new HtmlPage(<NewCalendarLinkPage area={area} link={link} />, 201);
  }

  @Post('link/revoke')
  async revokeLink(@InArea() area: Area, @SignedInPerson() person: Person): Promise<Redirect> {
    await this.feeds.revoke(refOf(area), person);
    return new Redirect(`${calendarPath(area)}?notice=revoked`);
  }
}
