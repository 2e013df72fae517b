import { createHash } from 'node:crypto';
import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../../../platform/access/access.decorators';
import { Field } from '../../../platform/http/field';
import { parameter } from '../../../platform/http/parameter-rules';
import { ApiTags } from '../../../platform/openapi/decorators';
import { DescribeText } from '../../../platform/openapi/describe';
import { CalendarFeeds } from '../application/calendar-feeds';
import { icalendar } from './ical';

export class FeedQuery {
  @Field({
    rule: parameter(() => undefined),
    presence: 'required',
    schema: {
      type: String,
      example: 'JLv0yYn5hTqv3b7wD6kKx2nS9aQe4rUoGm1cZfXpBtI',
      description: 'Of a link that someone made for themselves in Settings → Calendar.',
    },
  })
  token!: string;
}

const EXAMPLE = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Gala//Gala//EN
X-WR-CALNAME:Garden Events
BEGIN:VEVENT
UID:cal_01h455vb4pex5vsknk084sn02q@gala
DTSTAMP:20270115T093000Z
DTSTART:20270612T160000Z
DTEND:20270613T010000Z
SUMMARY:Wedding of Ana and Luis
STATUS:CONFIRMED
END:VEVENT
END:VCALENDAR
`.replaceAll('\n', '\r\n');

/** For calendar programs, which know no header to send a key in: the secret is in the address. */
@Controller('/v1/calendar.ics')
@ApiTags('Calendar')
export class CalendarFeedController {
  constructor(private readonly feeds: CalendarFeeds) {}

  @Get()
  @Public()
  @DescribeText({
    operationId: 'getCalendarFeed',
    summary: 'Subscribe to the calendar',
    description:
      'For calendar programs: an iCalendar file (RFC 5545) from a year ago to two years ahead. The token is the credential; an unknown or revoked one is a 404.',
    object: { name: 'calendar: the link was revoked, or not copied whole' },
    mediaType: 'text/calendar',
    example: EXAMPLE,
  })
  async get(@Query() { token }: FeedQuery, @Res() response: Response): Promise<void> {
    const body = icalendar(await this.feeds.open(token));
    response.set({
      'Cache-Control': 'private, no-cache',
      'Content-Disposition': 'inline; filename="calendar.ics"',
      ETag: `"${createHash('sha256').update(body).digest('base64url')}"`,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
    response.type('text/calendar; charset=utf-8').send(body);
  }
}
