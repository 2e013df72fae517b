import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { actorOf } from '../../../kernel/actor';
import type { Page } from '../../../kernel/page';
import type { Precondition } from '../../../kernel/precondition';
import type { Principal } from '../../../kernel/principal';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { IfMatch } from '../../../platform/http/if-match.decorator';
import { toPageRequest } from '../../../platform/http/page-query';
import { WaitsAtItsEnd } from '../../../platform/http/waits-at-its-end.decorator';
import { Describe, DescribeGroup, DescribeList } from '../../../platform/openapi/describe';
import { ManageLeadFields } from '../application/manage-lead-fields';
import { MAX_FIELDS } from '../domain/field-limits';
import type { LeadFieldView, NewLeadField } from '../domain/lead-field';
import {
  CreateLeadFieldBody,
  LEAD_FIELD,
  LeadFieldResponse,
  ListLeadFieldsQuery,
  optionsOf,
  UpdateLeadFieldBody,
} from './lead-field.dto';

@Controller('/v1/lead-fields')
@DescribeGroup({
  name: 'Custom fields',
  description:
    'The fields that a workspace has added to its leads. Leads show the values in `custom`, and lists of leads can be filtered by them.',
})
export class LeadFieldsController {
  constructor(private readonly manage: ManageLeadFields) {}

  @Post()
  @WaitsAtItsEnd()
  @RequireScope('schema:write')
  @Describe({
    operationId: 'createLeadField',
    summary: 'Add a custom field',
    description: `It comes last unless \`position\` says otherwise. At most ${MAX_FIELDS}, not counting archived ones. The answer takes half a second, until leads everywhere go by it.`,
    status: 201,
    response: LeadFieldResponse,
    invalid: { field: 'key', message: 'is the key of another field' },
  })
  create(@Caller() caller: Principal, @Body() body: CreateLeadFieldBody): Promise<LeadFieldView> {
    const { options, ...others } = body;
    const given = Object.entries(others).filter(([, value]) => (value ?? null) !== null);
    const fields = {
      ...Object.fromEntries(given),
      ...(options && { options: optionsOf(options) }),
    } as NewLeadField;
    return this.manage.create(caller, actorOf(caller), fields);
  }

  @Get()
  @RequireScope('leads:read')
  @DescribeList({
    operationId: 'listLeadFields',
    summary: 'List custom fields',
    description: 'In their order. Archived ones are left out unless asked for.',
    item: LeadFieldResponse,
    list: 'LeadFieldList',
  })
  list(@Caller() caller: Principal, @Query() query: ListLeadFieldsQuery): Promise<Page<LeadFieldView>> {
    const filter = { archived: query.archived ?? 'false' } as const;
    const request = toPageRequest(query, {
      list: 'lead-fields',
      filters: filter,
      sort: { field: 'position', descending: false },
      kind: 'integer',
      idPrefix: 'field',
    });
    return this.manage.list(caller, filter, request);
  }

  @Get(':id')
  @RequireScope('leads:read')
  @Describe({
    operationId: 'getLeadField',
    summary: 'Get a custom field',
    description: 'Archived ones too.',
    object: LEAD_FIELD,
    response: LeadFieldResponse,
  })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<LeadFieldView> {
    return this.manage.get(caller, LEAD_FIELD.read(id));
  }

  @Patch(':id')
  @WaitsAtItsEnd()
  @RequireScope('schema:write')
  @Describe({
    operationId: 'updateLeadField',
    summary: 'Update a custom field',
    description:
      'Changes the given fields alone. Values of leads stay as they are. An archived field can’t be changed.',
    object: LEAD_FIELD,
    request: { label: 'Preferred room', isRequired: true },
    response: LeadFieldResponse,
    answer: { label: 'Preferred room', isRequired: true },
    invalid: { field: 'archivedAt', message: 'an archived field can’t be changed; restore it first' },
  })
  update(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: UpdateLeadFieldBody,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<LeadFieldView> {
    const { options, ...others } = body;
    const changes = { ...others, ...(options && { options: optionsOf(options) }) };
    return this.manage.update(caller, actorOf(caller), LEAD_FIELD.read(id), changes, seen);
  }

  @Delete(':id')
  @WaitsAtItsEnd()
  @RequireScope('schema:write')
  @Describe({
    operationId: 'archiveLeadField',
    summary: 'Archive a custom field',
    description:
      'Leads keep their values and no longer show them; its key stays taken. Archiving it again changes nothing.',
    object: LEAD_FIELD,
    response: LeadFieldResponse,
    answer: { archivedAt: '2027-01-16T11:00:00.000Z', updatedAt: '2027-01-16T11:00:00.000Z' },
  })
  archive(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<LeadFieldView> {
    return this.manage.archive(caller, actorOf(caller), LEAD_FIELD.read(id), seen);
  }

  @Post(':id/restore')
  @WaitsAtItsEnd()
  @HttpCode(200)
  @RequireScope('schema:write')
  @Describe({
    operationId: 'restoreLeadField',
    summary: 'Restore an archived custom field',
    description: 'Leads show their values again. One that isn’t archived is left as it is.',
    object: LEAD_FIELD,
    response: LeadFieldResponse,
  })
  restore(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<LeadFieldView> {
    return this.manage.restore(caller, actorOf(caller), LEAD_FIELD.read(id), seen);
  }
}
