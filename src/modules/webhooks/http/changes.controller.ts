import { Controller, Get, Query } from '@nestjs/common';
import { actorOf } from '../../../kernel/actor';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../../kernel/page';
import type { Principal } from '../../../kernel/principal';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { ScansRows } from '../../../platform/http/scans-rows.decorator';
import { Describe, DescribeGroup } from '../../../platform/openapi/describe';
import { ChangeFeed, type Changes } from '../application/change-feed';
import { ChangesResponse, ListChangesQuery } from './changes.dto';

@Controller('v1/changes')
@DescribeGroup({ name: 'Changes', description: 'A feed of events that misses none.' })
@RequireScope('events:read')
export class ChangesController {
  constructor(private readonly feed: ChangeFeed) {}

  @Get()
  @ScansRows()
  @Describe({
    operationId: 'listChanges',
    summary: 'Read the change feed',
    description:
      'Events of the last 30 days, oldest first, in an order in which no event is ever added before a `position`. So a client that stores the position reads each event once, and events of an object in the order of its changes. An event appears once every transaction that began to write before it has ended, usually at once. A position before deleted events is a 422.',
    response: ChangesResponse,
    invalid: {
      field: 'types',
      message: 'there is no event type "lead.creatd": /docs/guides/webhooks lists them',
    },
  })
  list(@Caller() caller: Principal, @Query() { limit, ...query }: ListChangesQuery): Promise<Changes> {
    return this.feed.read(caller, actorOf(caller), {
      ...query,
      limit: Math.min(Number(limit ?? DEFAULT_LIMIT), MAX_LIMIT),
    });
  }
}
