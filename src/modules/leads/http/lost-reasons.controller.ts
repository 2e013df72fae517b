import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { actorOf } from '../../../kernel/actor';
import type { Page } from '../../../kernel/page';
import type { Precondition } from '../../../kernel/precondition';
import type { Principal } from '../../../kernel/principal';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { IfMatch } from '../../../platform/http/if-match.decorator';
import { toPageRequest } from '../../../platform/http/page-query';
import { Describe, DescribeGroup, DescribeList } from '../../../platform/openapi/describe';
import { ManageLostReasons, MAX_REASONS } from '../application/manage-lost-reasons';
import type { LostReasonView } from '../domain/lost-reason';
import {
  CreateLostReasonBody,
  ListLostReasonsQuery,
  LOST_REASON,
  LostReasonResponse,
  UpdateLostReasonBody,
} from './lost-reason.dto';

@Controller('/v1/lost-reasons')
@DescribeGroup({ name: 'Lost reasons', description: 'The reasons for which a workspace loses leads.' })
export class LostReasonsController {
  constructor(private readonly manage: ManageLostReasons) {}

  @Post()
  @RequireScope('schema:write')
  @Describe({
    operationId: 'createLostReason',
    summary: 'Add a lost reason',
    description: `At most ${MAX_REASONS}, not counting archived ones.`,
    status: 201,
    response: LostReasonResponse,
    invalid: { field: 'name', message: 'is the name of another lost reason' },
  })
  create(@Caller() caller: Principal, @Body() { name }: CreateLostReasonBody): Promise<LostReasonView> {
    return this.manage.create(caller, actorOf(caller), name);
  }

  @Get()
  @RequireScope('leads:read')
  @DescribeList({
    operationId: 'listLostReasons',
    summary: 'List lost reasons',
    description: 'By name. Archived ones are left out unless asked for.',
    item: LostReasonResponse,
    list: 'LostReasonList',
  })
  list(@Caller() caller: Principal, @Query() query: ListLostReasonsQuery): Promise<Page<LostReasonView>> {
    const filter = { archived: query.archived ?? 'false' } as const;
    const request = toPageRequest(query, {
      list: 'lost-reasons',
      filters: filter,
      sort: { field: 'name', descending: false },
      kind: 'text',
      idPrefix: 'reason',
    });
    return this.manage.list(caller, filter, request);
  }

  @Get(':id')
  @RequireScope('leads:read')
  @Describe({
    operationId: 'getLostReason',
    summary: 'Get a lost reason',
    description: 'Archived ones too.',
    object: LOST_REASON,
    response: LostReasonResponse,
  })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<LostReasonView> {
    return this.manage.get(caller, LOST_REASON.read(id));
  }

  @Patch(':id')
  @RequireScope('schema:write')
  @Describe({
    operationId: 'updateLostReason',
    summary: 'Rename a lost reason',
    description: 'Leads that have it show the new name. An archived one can’t be changed.',
    object: LOST_REASON,
    response: LostReasonResponse,
    invalid: { field: 'archivedAt', message: 'an archived lost reason can’t be changed; restore it first' },
  })
  update(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() { name }: UpdateLostReasonBody,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<LostReasonView> {
    return this.manage.rename(caller, actorOf(caller), LOST_REASON.read(id), name, seen);
  }

  @Delete(':id')
  @RequireScope('schema:write')
  @Describe({
    operationId: 'archiveLostReason',
    summary: 'Archive a lost reason',
    description: 'Leads that have it keep it; no other lead can get it. Archiving it again changes nothing.',
    object: LOST_REASON,
    response: LostReasonResponse,
    answer: { archivedAt: '2027-01-16T11:00:00.000Z', updatedAt: '2027-01-16T11:00:00.000Z' },
  })
  archive(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<LostReasonView> {
    return this.manage.archive(caller, actorOf(caller), LOST_REASON.read(id), seen);
  }

  @Post(':id/restore')
  @HttpCode(200)
  @RequireScope('schema:write')
  @Describe({
    operationId: 'restoreLostReason',
    summary: 'Restore an archived lost reason',
    description: 'One that isn’t archived is left as it is.',
    object: LOST_REASON,
    response: LostReasonResponse,
  })
  restore(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<LostReasonView> {
    return this.manage.restore(caller, actorOf(caller), LOST_REASON.read(id), seen);
  }
}
