import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { actorOf } from '../../../kernel/actor';
import type { Page } from '../../../kernel/page';
import type { Precondition } from '../../../kernel/precondition';
import type { Principal } from '../../../kernel/principal';
import { parseInstant } from '../../../kernel/time';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { IfMatch } from '../../../platform/http/if-match.decorator';
import { toPageRequest } from '../../../platform/http/page-query';
import { Describe, DescribeGroup, DescribeList } from '../../../platform/openapi/describe';
import { ActivityQueries } from '../application/activity-queries';
import type { ActivityKey } from '../application/activity-repository';
import { ChangeActivity } from '../application/change-activity';
import { LogActivity } from '../application/log-activity';
import type { ActivityView, NewActivity } from '../domain/activity';
import {
  ACTIVITY,
  ActivityResponse,
  LEAD,
  ListActivitiesQuery,
  LogActivityBody,
  UpdateActivityBody,
} from './activity.dto';

const FUTURE = {
  field: 'at',
  message:
    'must be at most 5 minutes ahead of 2027-01-15T09:30:00.000Z; plan the future with a task or a calendar event',
};

@Controller('/v1/leads/:id/activities')
@DescribeGroup({
  name: 'Activities',
  description: 'Notes about a lead, and calls, emails and meetings outside of Gala.',
})
export class ActivitiesController {
  constructor(
    private readonly logActivity: LogActivity,
    private readonly changeActivity: ChangeActivity,
    private readonly queries: ActivityQueries,
  ) {}

  @Post()
  @RequireScope('leads:write')
  @Describe({
    operationId: 'logActivity',
    summary: 'Log an activity',
    description:
      'If the lead has an activity with that `externalId`, the answer contains it as it is now, and nothing changes.',
    object: LEAD,
    status: 201,
    response: ActivityResponse,
    invalid: FUTURE,
  })
  log(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: LogActivityBody,
  ): Promise<ActivityView> {
    return this.logActivity.execute(caller, actorOf(caller), LEAD.read(id), toNewActivity(body));
  }

  @Get()
  @RequireScope('leads:read')
  @DescribeList({
    operationId: 'listActivities',
    summary: 'List activities',
    description: 'Those of the lead, the latest first by `at`.',
    object: LEAD,
    item: ActivityResponse,
    list: 'ActivityList',
  })
  list(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Query() { type, ...page }: ListActivitiesQuery,
  ): Promise<Page<ActivityView>> {
    const leadId = LEAD.read(id);
    const filter = { ...(type && { type }) };
    const request = toPageRequest(page, {
      list: 'activities',
      filters: { leadId, ...filter },
      sort: { field: 'at', descending: true },
      kind: 'instant',
      idPrefix: 'act',
    });
    return this.queries.list(caller, leadId, filter, request);
  }

  @Get(':activity')
  @RequireScope('leads:read')
  @Describe({
    operationId: 'getActivity',
    summary: 'Get an activity',
    within: LEAD,
    object: ACTIVITY,
    response: ActivityResponse,
  })
  get(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Param('activity') activity: string,
  ): Promise<ActivityView> {
    return this.queries.get(caller, keyOf(id, activity));
  }

  @Patch(':activity')
  @RequireScope('leads:write')
  @Describe({
    operationId: 'updateActivity',
    summary: 'Update an activity',
    description: 'Changes the given fields alone, and sets `editedAt`. `null` clears `direction`.',
    within: LEAD,
    object: ACTIVITY,
    request: { text: 'Asked whether two dogs are welcome.' },
    response: ActivityResponse,
    answer: {
      text: 'Asked whether two dogs are welcome.',
      editedAt: '2027-01-16T11:00:00.000Z',
      revision: 2,
    },
    invalid: FUTURE,
  })
  update(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Param('activity') activity: string,
    @Body() { at, ...changes }: UpdateActivityBody,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<ActivityView> {
    const given = { ...changes, ...(at !== undefined && { at: parseInstant(at)! }) };
    return this.changeActivity.update(caller, keyOf(id, activity), given, seen);
  }

  @Delete(':activity')
  @RequireScope('leads:write')
  @Describe({
    operationId: 'deleteActivity',
    summary: 'Delete an activity',
    description: 'The answer contains the activity as it was. It can’t be restored.',
    within: LEAD,
    object: ACTIVITY,
    response: ActivityResponse,
  })
  delete(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Param('activity') activity: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<ActivityView> {
    return this.changeActivity.delete(caller, keyOf(id, activity), seen);
  }
}

function keyOf(leadId: string, id: string): ActivityKey {
  return { leadId: LEAD.read(leadId), id: ACTIVITY.read(id) };
}

/** Null on creation means that the field is absent. */
function toNewActivity({ type, text, direction, at, externalId }: LogActivityBody): NewActivity {
  return {
    type,
    text,
    ...(direction && { direction }),
    ...(at && { at: parseInstant(at)! }),
    ...(externalId && { externalId }),
  };
}
