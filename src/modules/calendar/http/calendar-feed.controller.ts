import { createHash } from 'node:crypto';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../../../platform/access/access.decorators';
import { Field } from '../../../platform/http/field';
import { parameter } from '../../../platform/http/parameter-rules';
import { CalendarFeeds } from '../application/calendar-feeds';
import { icalendar } from './ical';

export class FeedQuery {
  @Field({
    rule: parameter(() => undefined),
    presence: 'required',
    schema: {
      type: String,
      description: 'Of a link that someone made for themselves in Settings → Calendar.',
    },
  })
  token!: string;
}

/** For calendar programs, which know no header to send a key in: the secret is in the address. */
@Controller('/v1/calendar.ics')
@ApiExcludeController()
export class CalendarFeedController {
  constructor(private readonly feeds: CalendarFeeds) {}

  @Get()
  @Public()
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
