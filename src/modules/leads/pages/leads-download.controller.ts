import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { Exports } from '../../../platform/exports/exports';
import { Download } from '../../../platform/pages/page-answer';
import { SignedInPerson } from '../../accounts';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { LeadQueries } from '../application/lead-queries';
import { PipelineQueries } from '../application/pipeline-queries';
import { LeadsView } from './leads-view';

/** The file that the page of leads links to: the leads that its address asks for, the newest first. */
@Controller('settings/:workspace/:mode/leads/export')
@SettingsPages('member')
export class LeadsDownloadController {
  constructor(
    private readonly queries: LeadQueries,
    private readonly pipelines: PipelineQueries,
    private readonly exports: Exports,
  ) {}

  @Get()
  async download(
    @Req() request: Request,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
  ): Promise<Download> {
    const ref = refOf(area);
    const stages = await this.pipelines.stages(ref);
    const view = LeadsView.read(request.query).knowing(stages.map(({ key }) => key));
    const pages = this.queries.all(ref, view.filter(person.id));
    return new Download((response) =>
      this.exports.send(response, { list: 'leads', ref, holder: person.id, asked: {}, pages }),
    );
  }
}
