import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Principal } from '../../../kernel/principal';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { DescribeExport } from '../../../platform/exports/describe-export';
import { exportQuery } from '../../../platform/exports/export-query';
import { Exports } from '../../../platform/exports/exports';
import { ProposalQueries } from '../application/proposal-queries';
import type { ProposalView } from '../application/proposal-views';
import { ListProposalsQuery, toListRequest } from './list-proposals.query';
import { PROPOSAL, ProposalResponse } from './proposal.dto';
import { shownTo } from './shown-to';

class ExportProposalsQuery extends exportQuery(ListProposalsQuery, ProposalResponse) {}

@Controller('/v1/exports/proposals')
@ApiTags('Proposals')
export class ProposalsExportController {
  constructor(
    private readonly queries: ProposalQueries,
    private readonly exports: Exports,
  ) {}

  @Get()
  @RequireScope('proposals:read')
  @DescribeExport({
    operationId: 'exportProposals',
    summary: 'Export proposals',
    description:
      'Each version by itself, the newest first. Archived ones are left out unless asked for. `publicUrl` is null without the scope `proposals:write`.',
    example: { id: PROPOSAL.example, number: 'P-2027-0001', status: 'sent', currency: 'EUR', total: 1210000 },
  })
  stream(
    @Caller() caller: Principal,
    @Query() query: ExportProposalsQuery,
    @Res() response: Response,
  ): Promise<void> {
    const pages = shownPages(caller, this.queries.all(caller, toListRequest(query).filter));
    const holder = caller.credential.id;
    return this.exports.send(response, { list: 'proposals', ref: caller, holder, asked: query, pages });
  }
}

async function* shownPages(caller: Principal, pages: AsyncIterable<readonly ProposalView[]>) {
  for await (const page of pages) yield page.map((proposal) => shownTo(caller, proposal));
}
