import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PageRenderer } from '../../../platform/pages/page-renderer';
import { queryText } from '../../../platform/pages/query-text';
import { ProposalQueries, type ProposalStatus, STATUSES } from '../../proposals';
import { type Area, InArea, refOf, SettingsPages } from './area';
import { listRequest } from './list-request';
import { PipelinePage } from './pipeline-page';
import { ProposalsPage } from './proposals-page';

/** Settings → Sales: for people, who would rather look than read. */
@Controller('settings/:workspace/:mode')
@SettingsPages('member')
export class ProposalsController {
  constructor(
    private readonly queries: ProposalQueries,
    private readonly pages: PageRenderer,
  ) {}

  @Get('pipeline')
  async pipeline(@Res() response: Response, @InArea() area: Area): Promise<void> {
    this.pages.send(response, <PipelinePage area={area} stages={await this.queries.pipeline(refOf(area))} />);
  }

  @Get('proposals')
  async list(@Req() request: Request, @Res() response: Response, @InArea() area: Area): Promise<void> {
    const asked = queryText(request, 'status');
    const status = STATUSES.includes(asked as ProposalStatus) ? (asked as ProposalStatus) : undefined;
    const filter = { status, archived: 'false' } as const;
    const sort = { field: 'createdAt', descending: true } as const;
    const options = { list: 'proposals', filters: filter, sort, kind: 'instant', idPrefix: 'prop' } as const;
    const page = await this.queries.list(refOf(area), filter, listRequest(request, options));
    const totals = await this.queries.totalsByStatus(refOf(area));
    this.pages.send(
      response,
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
