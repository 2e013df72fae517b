import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { addDays, dayIn, startOfDay } from '../../../kernel/time-zone';
import { Configuration } from '../../../platform/config/configuration';
import { addressOf } from '../../../platform/config/public-address';
import { Exports } from '../../../platform/exports/exports';
import { Download, HtmlPage, Redirect } from '../../../platform/pages/page-answer';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { CalendarFeeds } from '../application/calendar-feeds';
import { CalendarQueries } from '../application/calendar-queries';
import { monthFrame, SHOWN_TITLE } from './calendar-month';
import { CalendarPage, calendarPath, NewCalendarLinkPage } from './calendar-page';

const MAX_EVENTS = 2000;

/** Settings → Sales → Calendar: a month, and the visitor's own subscription link. */
@Controller('settings/:workspace/:mode/calendar')
@SettingsPages('member')
export class CalendarPagesController {
  constructor(
    private readonly queries: CalendarQueries,
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
    const { timeZone } = area.workspace;
    const today = dayIn(timeZone, this.clock.now());
    const frame = monthFrame(queryText(request, 'month'), today);
    const range = { from: startOfDay(timeZone, frame.first), to: startOfDay(timeZone, frame.end) };
    const limits = { events: MAX_EVENTS + 1, title: SHOWN_TITLE + 1 };
    const events = await this.queries.confirmed(refOf(area), range, limits);
    return new HtmlPage(
      <CalendarPage
        area={area}
        frame={frame}
        today={today}
        events={events.slice(0, MAX_EVENTS)}
        isCut={events.length > MAX_EVENTS}
        linkMadeAt={await this.feeds.madeAt(refOf(area), person.id)}
        notice={queryText(request, 'notice')}
      />,
    );
  }

  /** The weeks that the page shows. */
  @Get('export')
  export(@Req() request: Request, @InArea() area: Area, @SignedInPerson() person: Person): Download {
    const ref = refOf(area);
    const { first, end } = monthFrame(
      queryText(request, 'month'),
      dayIn(area.workspace.timeZone, this.clock.now()),
    );
    const pages = this.queries.all(ref, { from: first, to: addDays(end, -1) }, { status: 'confirmed' });
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
