import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  UseFilters,
} from '@nestjs/common';
import type { Page } from '../../../kernel/page';
import type { Principal } from '../../../kernel/principal';
import type { Precondition } from '../../../kernel/precondition';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { IfMatch } from '../../../platform/http/if-match.decorator';
import { Describe, DescribeGroup, DescribeList } from '../../../platform/openapi/describe';
import { ChangeLead } from '../application/change-lead';
import { CreateLead } from '../application/create-lead';
import { LeadQueries } from '../application/lead-queries';
import { WriteLeads } from '../application/write-leads';
import type { LeadView } from '../domain/lead';
import { changesOf, newFieldsOf } from './check-lead';
import { CreateLeadBody, LEAD, LeadResponse, UpdateLeadBody } from './lead.dto';
import { ListDuplicatesQuery, ListLeadsQuery, toDuplicatesRequest, toListRequest } from './list-leads.query';
import { WorkspaceProblemsFilter } from './workspace-problems.filter';

@Controller('/v1/leads')
@UseFilters(WorkspaceProblemsFilter)
@DescribeGroup({
  name: 'Leads',
  description: 'People who enquired about an event, from the first contact until it took place or was lost.',
})
export class LeadsController {
  constructor(
    private readonly createLead: CreateLead,
    private readonly changeLead: ChangeLead,
    private readonly writeLeads: WriteLeads,
    private readonly queries: LeadQueries,
  ) {}

  @Post()
  @RequireScope('leads:write')
  @Describe({
    operationId: 'createLead',
    summary: 'Create a lead',
    description: 'Only `email` is required. The same address may enquire again.',
    status: 201,
    response: LeadResponse,
    invalid: { field: 'email', message: 'is required' },
  })
  async create(@Caller() caller: Principal, @Body() body: CreateLeadBody): Promise<LeadView> {
    const { onDuplicate, ...fields } = newFieldsOf(body);
    if (onDuplicate !== 'refuse') return this.createLead.execute(caller, fields);
    return (await this.writeLeads.runOne(caller, { operation: 'create', onDuplicate, fields })).lead;
  }

  @Get()
  @RequireScope('leads:read')
  @DescribeList({
    operationId: 'listLeads',
    summary: 'List leads',
    description:
      'All that match every given filter. Archived leads are left out unless asked for. Leads can be filtered by custom fields too: `custom.room=garden` for the field with the key `room`.',
    item: LeadResponse,
    list: 'LeadList',
    invalid: {
      field: 'eventDateFrom',
      message: 'must be a day that exists, written YYYY-MM-DD, from 1900 to 9999',
    },
  })
  list(@Caller() caller: Principal, @Query() query: ListLeadsQuery): Promise<Page<LeadView>> {
    const { filter, request } = toListRequest(query);
    return this.queries.list(caller, filter, request);
  }

  @Get(':id')
  @RequireScope('leads:read')
  @Describe({
    operationId: 'getLead',
    summary: 'Get a lead',
    description: 'Archived ones too.',
    object: LEAD,
    response: LeadResponse,
  })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<LeadView> {
    return this.queries.get(caller, LEAD.read(id));
  }

  @Get(':id/duplicates')
  @RequireScope('leads:read')
  @DescribeList({
    operationId: 'listDuplicates',
    summary: 'List the duplicates of a lead',
    description:
      'The leads that share its e-mail address or its phone number, newest first. Archived ones are left out unless asked for.',
    object: LEAD,
    item: LeadResponse,
    list: 'LeadDuplicateList',
    invalid: { field: 'archived', message: 'must be one of false, true, all' },
  })
  duplicates(
    @Caller() caller: Principal,
    @Param('id') text: string,
    @Query() query: ListDuplicatesQuery,
  ): Promise<Page<LeadView>> {
    const id = LEAD.read(text);
    const { archived, request } = toDuplicatesRequest(id, query);
    return this.queries.duplicates(caller, id, archived, request);
  }

  @Patch(':id')
  @RequireScope('leads:write')
  @Describe({
    operationId: 'updateLead',
    summary: 'Update a lead',
    description:
      'Changes the given fields alone; `null` clears any but `email`, `stage` and `custom`; `tags` replaces all tags; `custom` changes the custom fields that it names. An archived lead can’t be changed.',
    object: LEAD,
    request: { stage: 'visit_booked', tags: ['vip', 'garden'] },
    response: LeadResponse,
    answer: { stage: 'visit_booked', updatedAt: '2027-01-16T11:00:00.000Z' },
    invalid: { field: 'archivedAt', message: 'an archived lead can’t be changed; restore it first' },
  })
  update(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: UpdateLeadBody,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<LeadView> {
    return this.changeLead.update(caller, LEAD.read(id), changesOf(body), seen);
  }

  @Delete(':id')
  @RequireScope('leads:write')
  @Describe({
    operationId: 'archiveLead',
    summary: 'Archive a lead',
    description:
      'It can still be read and be restored; lists leave it out. Archiving it again changes nothing.',
    object: LEAD,
    response: LeadResponse,
    answer: { archivedAt: '2027-01-16T11:00:00.000Z', updatedAt: '2027-01-16T11:00:00.000Z' },
  })
  archive(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<LeadView> {
    return this.changeLead.archive(caller, LEAD.read(id), seen);
  }

  @Post(':id/restore')
  @HttpCode(200)
  @RequireScope('leads:write')
  @Describe({
    operationId: 'restoreLead',
    summary: 'Restore an archived lead',
    description: 'One that isn’t archived is left as it is.',
    object: LEAD,
    response: LeadResponse,
    answer: { updatedAt: '2027-01-17T08:15:00.000Z' },
  })
  restore(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<LeadView> {
    return this.changeLead.restore(caller, LEAD.read(id), seen);
  }
}
