import { Controller, Get, Query, Res, UseFilters } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Principal } from '../../../kernel/principal';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { DescribeExport } from '../../../platform/exports/describe-export';
import { exportQuery } from '../../../platform/exports/export-query';
import { Exports } from '../../../platform/exports/exports';
import { LeadQueries } from '../application/lead-queries';
import { LEAD, LeadResponse } from './lead.dto';
import { ListLeadsQuery, toListRequest } from './list-leads.query';
import { WorkspaceProblemsFilter } from './workspace-problems.filter';

class ExportLeadsQuery extends exportQuery(ListLeadsQuery, LeadResponse, 'custom') {}

@Controller('/v1/exports/leads')
@UseFilters(WorkspaceProblemsFilter)
@ApiTags('Leads')
export class LeadsExportController {
  constructor(
    private readonly queries: LeadQueries,
    private readonly exports: Exports,
  ) {}

  @Get()
  @RequireScope('leads:read')
  @DescribeExport({
    operationId: 'exportLeads',
    summary: 'Export leads',
    description:
      'The newest first. Archived leads are left out unless asked for. CSV has a column `custom.<key>` for each custom field.',
    example: { id: LEAD.example, name: 'Ana Pérez', email: 'ana@example.com', phone: '+34600123456' },
  })
  stream(
    @Caller() caller: Principal,
    @Query() query: ExportLeadsQuery,
    @Res() response: Response,
  ): Promise<void> {
    const pages = this.queries.all(caller, toListRequest(query).filter);
    const holder = caller.credential.id;
    return this.exports.send(response, { list: 'leads', ref: caller, holder, asked: query, pages });
  }
}
