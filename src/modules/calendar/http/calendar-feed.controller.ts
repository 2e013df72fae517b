import { createHash } from 'node:crypto';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../../platform/access/access.decorators';
import { IgnoresUnknownParameters } from '../../../platform/http/ignores-unknown-parameters.decorator';
import { QueryParameter } from '../../../platform/http/query-parameter';
import { packageVersion } from '../../../platform/package-version';
import { DescribeText } from '../../../platform/openapi/describe';
import { CalendarFeeds } from '../application/calendar-feeds';
import { FeedBodies } from './feed-bodies';

const PACKAGE_VERSION = packageVersion();

class FeedQuery {
  @QueryParameter({
    presence: 'required',
    description: 'Of a link that someone made for themselves in Settings → Calendar.',
    example: 'JLv0yYn5hTqv3b7wD6kKx2nS9aQe4rUoGm1cZfXpBtI',
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

const HEADERS = {
  'Cache-Control': 'private, no-cache',
  'Content-Disposition': 'inline; filename="calendar.ics"',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** The secret is in the URL, because calendar programs can't send a key in a header. */
@Controller('/v1/calendar.ics')
@ApiTags('Calendar')
export class CalendarFeedController {
  constructor(
    private readonly feeds: CalendarFeeds,
    private readonly bodies: FeedBodies,
  ) {}

  @Get()
  @Public()
  @IgnoresUnknownParameters('token')
  @DescribeText({
    operationId: 'getCalendarFeed',
    summary: 'Subscribe to the calendar',
    description:
      'For calendar programs: an iCalendar file (RFC 5545) from a year ago to two years ahead, 10,000 events and 5 MiB at most: of more, the oldest are left out first, then those furthest ahead. The token is the credential; an unknown or revoked one is a 404.',
    object: { name: 'calendar: the link was revoked, or not copied whole' },
    isConditional: true,
    examples: { 'text/calendar': EXAMPLE },
  })
  async get(
    @Query() { token }: FeedQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const ref = await this.feeds.locate(token);
    const version = await this.bodies.version(ref);
    response.set('ETag', etag(version));
    if (request.fresh) {
      response.status(304).set(HEADERS).end();
      return;
    }
    // The response that is sent may be newer, and an error has no ETag.
    response.removeHeader('ETag');
    // A feed that has to be built waits in a queue of its own, for seconds after a long one.
    response.leaveTurn?.();
    const body = await this.bodies.get(ref, version);
    response.set({ ...HEADERS, ETag: etag(body.version) });
    response.type('text/calendar; charset=utf-8').send(body.content);
  }
}

/** Another release of Gala may write the same feed differently. */
function etag(version: string): string {
  return `"${createHash('sha256').update(PACKAGE_VERSION).update(version).digest('base64url')}"`;
}
