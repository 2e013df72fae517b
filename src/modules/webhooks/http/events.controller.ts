import { Controller, Get, Query } from '@nestjs/common';
import { actorOf } from '../../../kernel/actor';
import type { Page } from '../../../kernel/page';
import type { Principal } from '../../../kernel/principal';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { toPageRequest } from '../../../platform/http/page-query';
import { DescribeGroup, DescribeList } from '../../../platform/openapi/describe';
import { EVENTS_GROUP } from '../../../platform/openapi/events';
import { EventQueries, type EventView } from '../application/event-queries';
import { EventResponse, ListEventsQuery } from './webhook.dto';

@Controller('v1/events')
@DescribeGroup({ name: EVENTS_GROUP, description: 'What happened in the last 30 days.' })
@RequireScope('webhooks:write')
export class EventsController {
  constructor(private readonly queries: EventQueries) {}

  @Get()
  @DescribeList({
    operationId: 'listEvents',
    summary: 'List events',
    description: 'The latest first. For those who can’t receive webhooks, or want to be sure.',
    item: EventResponse,
    list: 'EventList',
    invalid: {
      field: 'type',
      message:
        'must be one event type, such as lead.created; "lead.*" is none: /docs/guides/webhooks lists them',
    },
  })
  list(@Caller() caller: Principal, @Query() { type, ...page }: ListEventsQuery): Promise<Page<EventView>> {
    const filter = { ...(type !== undefined && { type }) };
    const request = toPageRequest(page, {
      list: 'events',
      filters: filter,
      sort: { field: 'timestamp', descending: true },
      kind: 'instant',
      idPrefix: 'evt',
    });
    return this.queries.list(caller, actorOf(caller), filter, request);
  }
}
