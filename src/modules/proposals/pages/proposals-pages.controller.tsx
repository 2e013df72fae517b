import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { Exports } from '../../../platform/exports/exports';
import { Download, HtmlPage } from '../../../platform/pages/page-answer';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { PipelineQueries } from '../../leads';
import { type Area, InArea, listRequest, refOf, SettingsPages } from '../../shell';
import { type ProposalFilter, ProposalQueries } from '../application/proposal-queries';
import { type ProposalStatus, STATUSES } from '../domain/proposal';
import { PipelinePage } from './pipeline-page';
import { ProposalsPage } from './proposals-page';

/** Settings → Sales → Pipeline and Proposals. */
@Controller('settings/:workspace/:mode')
@SettingsPages('member')
export class ProposalsPagesController {
  constructor(
    private readonly queries: ProposalQueries,
    private readonly pipelines: PipelineQueries,
    private readonly exports: Exports,
  ) {}

  @Get('pipeline')
  async pipeline(@InArea() area: Area): Promise<HtmlPage> {
    const stages = await this.pipelines.stages(refOf(area));
    return new HtmlPage(
      <PipelinePage area={area} stages={stages} totals={await this.queries.pipeline(refOf(area))} />,
    );
  }

  @Get('proposals')
  async list(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
    const filter = filterOf(request);
    const sort = { field: 'createdAt', descending: true } as const;
    const options = { list: 'proposals', filters: filter, sort, kind: 'instant', idPrefix: 'prop' } as const;
    const page = await this.queries.list(refOf(area), filter, listRequest(request, options));
    const totals = await this.queries.totalsByStatus(refOf(area));
    return new HtmlPage(
      <ProposalsPage
        area={area}
        status={filter.status}
        totals={totals}
        proposals={page.data}
        nextCursor={page.pagination.nextCursor}
      />,
    );
  }

  @Get('proposals/export')
  export(@Req() request: Request, @InArea() area: Area, @SignedInPerson() person: Person): Download {
    const ref = refOf(area);
    const pages = this.queries.all(ref, filterOf(request));
    return new Download((response) =>
      this.exports.send(response, { list: 'proposals', ref, holder: person.id, asked: {}, pages }),
    );
  }
}

function filterOf(request: Request): ProposalFilter {
  const asked = queryText(request, 'status') as ProposalStatus;
  return { status: STATUSES.includes(asked) ? asked : undefined, archived: 'false' };
}
