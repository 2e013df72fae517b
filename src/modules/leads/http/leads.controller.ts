import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { NotFound } from '../../../kernel/errors';
import { type LeadId, parseId } from '../../../kernel/ids';
import type { Page } from '../../../kernel/page';
import type { Principal } from '../../../kernel/principal';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { Describe, DescribeList } from '../../../platform/openapi/describe';
import { ChangeLead } from '../application/change-lead';
import { CreateLead } from '../application/create-lead';
import { LeadQueries } from '../application/lead-queries';
import type { LeadView, NewLead } from '../domain/lead';
import { CreateLeadBody, LeadResponse, UpdateLeadBody } from './lead.dto';
import { ListLeadsQuery, toListRequest } from './list-leads.query';

const PATH = '/v1/leads';

@Controller(PATH)
export class LeadsController {
  constructor(
    private readonly createLead: CreateLead,
    private readonly changeLead: ChangeLead,
    private readonly queries: LeadQueries,
  ) {}

  @Post()
  @RequireScope('leads:write')
  @Describe({
    summary: 'Create a lead',
    description: 'Only `email` is required. The same address may enquire again.',
    status: 201,
    response: LeadResponse,
    errors: [400, 403, 422],
  })
  async create(
    @Caller() caller: Principal,
    @Body() body: CreateLeadBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LeadView> {
    const lead = await this.createLead.execute(caller, withoutNulls(body));
    response.setHeader('Location', `${PATH}/${lead.id}`);
    return lead;
  }

  @Get()
  @RequireScope('leads:read')
  @DescribeList({
    summary: 'List leads',
    description: 'Archived leads are left out unless asked for.',
    item: LeadResponse,
    errors: [400, 403, 422],
  })
  list(@Caller() caller: Principal, @Query() query: ListLeadsQuery): Promise<Page<LeadView>> {
    const { filter, request } = toListRequest(query);
    return this.queries.list(caller, filter, request);
  }

  @Get(':id')
  @RequireScope('leads:read')
  @Describe({
    summary: 'Get a lead',
    description: 'Archived ones too.',
    response: LeadResponse,
    errors: [403, 404, 422],
  })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<LeadView> {
    return this.queries.get(caller, leadId(id));
  }

  @Patch(':id')
  @RequireScope('leads:write')
  @Describe({
    summary: 'Update a lead',
    description:
      'Changes the given fields alone; `null` clears any but `email` and `stage`; `tags` replaces all tags. An archived lead can’t be changed.',
    response: LeadResponse,
    errors: [400, 403, 404, 422],
  })
  update(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: UpdateLeadBody,
  ): Promise<LeadView> {
    return this.changeLead.update(caller, leadId(id), { ...body, tags: body.tags === null ? [] : body.tags });
  }

  @Delete(':id')
  @RequireScope('leads:write')
  @Describe({
    summary: 'Archive a lead',
    description:
      'It can still be read and be restored; lists leave it out. Archiving it again changes nothing.',
    response: LeadResponse,
    errors: [403, 404, 422],
  })
  archive(@Caller() caller: Principal, @Param('id') id: string): Promise<LeadView> {
    return this.changeLead.archive(caller, leadId(id));
  }

  @Post(':id/restore')
  @HttpCode(200)
  @RequireScope('leads:write')
  @Describe({
    summary: 'Restore an archived lead',
    description: 'One that isn’t archived is left as it is.',
    response: LeadResponse,
    errors: [403, 404, 422],
  })
  restore(@Caller() caller: Principal, @Param('id') id: string): Promise<LeadView> {
    return this.changeLead.restore(caller, leadId(id));
  }
}

function leadId(text: string): LeadId {
  const id = parseId('lead', text);
  if (!id) throw new NotFound('lead');
  return id;
}

/** Null on creation is the same as leaving the field out. */
function withoutNulls(body: CreateLeadBody): NewLead {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) as unknown as NewLead;
}
