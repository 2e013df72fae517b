import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { actorOf } from '../../../kernel/actor';
import type { Page } from '../../../kernel/page';
import type { Principal } from '../../../kernel/principal';
import type { Precondition } from '../../../kernel/precondition';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { IfMatch } from '../../../platform/http/if-match.decorator';
import { toPageRequest } from '../../../platform/http/page-query';
import { Describe, DescribeGroup, DescribeList } from '../../../platform/openapi/describe';
import { CalendarQueries } from '../application/calendar-queries';
import { ManageSpaces } from '../application/manage-spaces';
import type { NewSpace, SpaceView } from '../domain/space';
import { SPACE } from './calendar-ids';
import { CreateSpaceBody, ListSpacesQuery, SpaceResponse, UpdateSpaceBody } from './space.dto';
import { withoutNulls } from './given';

@Controller('/v1/spaces')
@DescribeGroup({
  name: 'Spaces',
  description: 'The rooms and places of a venue, each of which one event can have at a time.',
})
export class SpacesController {
  constructor(
    private readonly manage: ManageSpaces,
    private readonly queries: CalendarQueries,
  ) {}

  @Post()
  @RequireScope('calendar:write')
  @Describe({
    operationId: 'createSpace',
    summary: 'Create a space',
    status: 201,
    response: SpaceResponse,
    invalid: { field: 'name', message: 'is required' },
  })
  create(@Caller() caller: Principal, @Body() body: CreateSpaceBody): Promise<SpaceView> {
    return this.manage.create(caller, actorOf(caller), withoutNulls<NewSpace>(body));
  }

  @Get()
  @RequireScope('calendar:read')
  @DescribeList({
    operationId: 'listSpaces',
    summary: 'List spaces',
    description: 'By name. Archived spaces are left out unless asked for.',
    item: SpaceResponse,
    list: 'SpaceList',
  })
  list(@Caller() caller: Principal, @Query() query: ListSpacesQuery): Promise<Page<SpaceView>> {
    const filter = { archived: query.archived ?? 'false' } as const;
    const request = toPageRequest(query, {
      list: 'spaces',
      filters: filter,
      sort: { field: 'name', descending: false },
      kind: 'text',
      idPrefix: 'space',
    });
    return this.queries.listSpaces(caller, filter, request);
  }

  @Get(':id')
  @RequireScope('calendar:read')
  @Describe({
    operationId: 'getSpace',
    summary: 'Get a space',
    description: 'Archived ones too.',
    object: SPACE,
    response: SpaceResponse,
  })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<SpaceView> {
    return this.queries.getSpace(caller, SPACE.read(id));
  }

  @Patch(':id')
  @RequireScope('calendar:write')
  @Describe({
    operationId: 'updateSpace',
    summary: 'Update a space',
    description:
      'Changes what is given. What is booked already keeps its set-up and clearing times. An archived space can’t be changed.',
    object: SPACE,
    response: SpaceResponse,
    invalid: { field: 'archivedAt', message: 'an archived space can’t be changed; restore it first' },
  })
  update(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: UpdateSpaceBody,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<SpaceView> {
    return this.manage.update(caller, actorOf(caller), SPACE.read(id), { ...body }, seen);
  }

  @Delete(':id')
  @RequireScope('calendar:write')
  @Describe({
    operationId: 'archiveSpace',
    summary: 'Archive a space',
    description: 'What is booked there stays; nothing new can be. Archiving it again changes nothing.',
    object: SPACE,
    response: SpaceResponse,
    answer: { archivedAt: '2027-01-16T11:00:00.000Z', updatedAt: '2027-01-16T11:00:00.000Z', revision: 2 },
  })
  archive(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<SpaceView> {
    return this.manage.archive(caller, actorOf(caller), SPACE.read(id), seen);
  }

  @Post(':id/restore')
  @HttpCode(200)
  @RequireScope('calendar:write')
  @Describe({
    operationId: 'restoreSpace',
    summary: 'Restore an archived space',
    description: 'One that isn’t archived is left as it is.',
    object: SPACE,
    response: SpaceResponse,
  })
  restore(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<SpaceView> {
    return this.manage.restore(caller, actorOf(caller), SPACE.read(id), seen);
  }
}
