import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { dayIn } from '../../../kernel/time-zone';
import { Exports } from '../../../platform/exports/exports';
import { ScansRows } from '../../../platform/http/scans-rows.decorator';
import { Download, HtmlPage } from '../../../platform/pages/page-answer';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { PipelineQueries } from '../../leads';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { ProposalQueries } from '../application/proposal-queries';
import { PipelinePage } from './pipeline-page';
import { askedList, staffFilter, staffRequest } from './proposal-list';
import { ProposalsPage } from './proposals-page';

/** Settings → Sales → Pipeline and Proposals. */
@Controller('settings/:workspace/:mode')
@SettingsPages('member')
export class ProposalsPagesController {
  constructor(
    private readonly queries: ProposalQueries,
    private readonly pipelines: PipelineQueries,
    private readonly exports: Exports,
    private readonly clock: Clock,
  ) {}

  @Get('pipeline')
  async pipeline(@InArea() area: Area): Promise<HtmlPage> {
    const stages = await this.pipelines.stages(refOf(area));
    return new HtmlPage(
      <PipelinePage area={area} stages={stages} totals={await this.queries.pipeline(refOf(area))} />,
    );
  }

  @Get('proposals')
  @ScansRows()
  async list(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
    const asked = askedList(request);
    const ref = refOf(area);
    const page = await this.queries.listForStaff(ref, staffFilter(asked), staffRequest(request, asked));
    return new HtmlPage(
      <ProposalsPage
        area={area}
        asked={asked}
        totals={await this.queries.totalsByStatus(ref)}
        proposals={page.data}
        nextCursor={page.pagination.nextCursor}
        today={dayIn(area.workspace.timeZone, this.clock.now())}
        notice={queryText(request, 'notice')}
      />,
    );
  }

  @Get('proposals/export')
  @ScansRows()
  export(@Req() request: Request, @InArea() area: Area, @SignedInPerson() person: Person): Download {
    const ref = refOf(area);
    const pages = this.queries.allForStaff(ref, staffFilter(askedList(request)));
    return new Download((response) =>
      this.exports.send(response, { list: 'proposals', ref, holder: person.id, asked: {}, pages }),
    );
  }
}
