import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Page } from '../../../kernel/page';
import type { Principal } from '../../../kernel/principal';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { Describe, DescribeGroup, DescribeList } from '../../../platform/openapi/describe';
import {
  type Funnel,
  type OutcomesReport as OutcomesReportView,
  ReportQueries,
  type ResponsesReport as ResponsesReportView,
  type WaitingView,
} from '../application/report-queries';
import { filtersOf } from '../application/report-reader';
import { FunnelResponse, OutcomesReport, ResponsesReport, WaitingLeadResponse } from './report.dto';
import {
  FunnelQuery,
  OutcomesQuery,
  ResponsesQuery,
  toPeriod,
  toReportInput,
  toUnanswered,
  UnansweredQuery,
} from './report.query';

const TURNS = 'One report of a workspace runs at a time; another waits up to 5 seconds and is then a 429.';
const INVALID = { field: 'to', message: 'must not be before from' };

@Controller('/v1/reports')
@DescribeGroup({
  name: 'Reports',
  description: 'Figures of leads: response times, the funnel, outcomes, and who waits for an answer.',
})
export class ReportsController {
  constructor(private readonly reports: ReportQueries) {}

  @Get('responses')
  @RequireScope('reports:read')
  @Describe({
    operationId: 'getResponsesReport',
    summary: 'Get response times',
    description: `How soon leads that were created in a period got their first response. ${TURNS}`,
    response: ResponsesReport,
    invalid: INVALID,
  })
  responses(
    @Caller() caller: Principal,
    @Query() query: ResponsesQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ResponsesReportView> {
    // Reports wait in a queue of their own.
    response.leaveTurn?.();
    return this.reports.responses(caller, toReportInput(query));
  }

  @Get('funnel')
  @RequireScope('reports:read')
  @Describe({
    operationId: 'getFunnel',
    summary: 'Get the funnel',
    description: `How leads go from stage to stage, and how long they stay. ${TURNS}`,
    response: FunnelResponse,
    invalid: INVALID,
  })
  funnel(
    @Caller() caller: Principal,
    @Query() { basis = 'created', ...query }: FunnelQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Funnel> {
    response.leaveTurn?.();
    return this.reports.funnel(caller, toPeriod(query), basis);
  }

  @Get('outcomes')
  @RequireScope('reports:read')
  @Describe({
    operationId: 'getOutcomesReport',
    summary: 'Get outcomes',
    description: `Won, lost and open leads and the value of won ones, for each currency. ${TURNS}`,
    response: OutcomesReport,
    invalid: INVALID,
  })
  outcomes(
    @Caller() caller: Principal,
    @Query() { basis = 'closed', ...query }: OutcomesQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<OutcomesReportView> {
    response.leaveTurn?.();
    return this.reports.outcomes(caller, toReportInput(query), basis);
  }

  @Get('unanswered')
  @RequireScope('reports:read')
  @DescribeList({
    operationId: 'listUnanswered',
    summary: 'List unanswered leads',
    description:
      'The leads that wait for an answer, the longest wait first. Archived ones are left out. They aren’t counted: `total` and `pages` are 0. With a filter, it runs as a report: one of a workspace at a time.',
    item: WaitingLeadResponse,
    list: 'WaitingLeadList',
    invalid: { field: 'ownerId', message: 'must be an id such as user_…, or none' },
  })
  unanswered(
    @Caller() caller: Principal,
    @Query() query: UnansweredQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<WaitingView>> {
    const { leads, request } = toUnanswered(query);
    if (filtersOf(leads).length > 0) response.leaveTurn?.();
    return this.reports.unanswered(caller, leads, request);
  }
}
