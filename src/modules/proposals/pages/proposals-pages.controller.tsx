import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { HtmlPage } from '../../../platform/pages/page-answer';
import { queryText } from '../../../platform/pages/query-text';
import { PipelineQueries } from '../../leads';
import { type Area, InArea, listRequest, refOf, SettingsPages } from '../../shell';
import { ProposalQueries } from '../application/proposal-queries';
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
    const asked = queryText(request, 'status');
    const status = STATUSES.includes(asked as ProposalStatus) ? (asked as ProposalStatus) : undefined;
    const filter = { status, archived: 'false' } as const;
    const sort = { field: 'createdAt', descending: true } as const;
    const options = { list: 'proposals', filters: filter, sort, kind: 'instant', idPrefix: 'prop' } as const;
    const page = await this.queries.list(refOf(area), filter, listRequest(request, options));
    const totals = await this.queries.totalsByStatus(refOf(area));
    return new HtmlPage(
      <ProposalsPage
        area={area}
        status={status}
        totals={totals}
        proposals={page.data}
        nextCursor={page.pagination.nextCursor}
      />,
    );
  }
}
