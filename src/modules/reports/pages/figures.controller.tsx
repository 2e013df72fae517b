import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../../kernel/clock';
import { csvRecord, guardCell } from '../../../kernel/csv-cells';
import { NotFound } from '../../../kernel/errors';
import { dayIn } from '../../../kernel/time-zone';
import { Download, HtmlPage } from '../../../platform/pages/page-answer';
import { queryText } from '../../../platform/pages/query-text';
import { ManageLostReasons, PipelineQueries } from '../../leads';
import { type Area, InArea, listRequest, refOf, SettingsPages } from '../../shell';
import { ReportQueries } from '../application/report-queries';
import { countedBy } from './counted-by';
import { CountedLeadsPage } from './counted-leads-page';
import { type Figures, type FigureTable, type TableName, TABLES } from './figure-tables';
import { FiguresPage, figuresPath } from './figures-page';
import { askedPeriod, type Days, daysOf, intervalFor } from './figures-period';

/** Settings → Sales → Figures. */
@Controller('settings/:workspace/:mode/figures')
@SettingsPages('member')
export class FiguresController {
  constructor(
    private readonly reports: ReportQueries,
    private readonly pipelines: PipelineQueries,
    private readonly reasons: ManageLostReasons,
    private readonly clock: Clock,
  ) {}

  @Get()
  async show(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
    // Reports wait in a queue of their own.
    request.res!.leaveTurn?.();
    const today = this.today(area);
    const form = askedPeriod(request, today);
    const hasLeads = await this.reports.hasLeads(refOf(area));
    const read = hasLeads ? await form.submit(() => this.figures(area, daysOf(form))) : undefined;
    const page = (
      <FiguresPage area={area} form={form} today={today} figures={read?.result} hasLeads={hasLeads} />
    );
    return new HtmlPage(page, form.isFaulty ? 422 : 200);
  }

  /** The leads that a bar counts. */
  @Get('leads')
  async leads(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
    request.res!.leaveTurn?.();
    const days = this.days(request, area);
    const { parameters, leads, which } = countedBy(request);
    const page = await this.reports.counted(
      refOf(area),
      { ...days, ...leads },
      which,
      listRequest(request, {
        list: 'counted-leads',
        filters: { ...days, ...leads, ...which },
        sort: { field: which.by, descending: true },
        kind: 'instant',
        idPrefix: 'lead',
      }),
    );
    const { nextCursor } = page.pagination;
    const search = new URLSearchParams({ ...days, ...parameters, cursor: nextCursor ?? '' });
    return new HtmlPage(
      <CountedLeadsPage
        area={area}
        days={days}
        areLost={which.by === 'lost'}
        leads={page.data}
        stageNames={await this.stageNames(area)}
        older={nextCursor ? `${figuresPath(area)}/leads?${search.toString()}` : undefined}
      />,
    );
  }

  /** A table of the page as CSV. */
  @Get('export')
  async export(@Req() request: Request, @InArea() area: Area): Promise<Download> {
    request.res!.leaveTurn?.();
    const name = (queryText(request, 'table') || 'leads') as TableName;
    if (!Object.hasOwn(TABLES, name)) throw new NotFound('page');
    const table = TABLES[name](await this.figures(area, this.days(request, area)));
    return new Download((response) => {
      response.set({
        'Content-Type': 'text/csv; charset=utf-8; header=present',
        'Content-Disposition': `attachment; filename="${name}.csv"`,
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      });
      response.end(toCsv(table));
      return Promise.resolve();
    });
  }

  /** One report after the other: a workspace has one at a time. */
  private async figures(area: Area, days: Days): Promise<Figures> {
    const ref = refOf(area);
    const responses = await this.reports.responses(ref, {
      ...days,
      interval: intervalFor(days),
      groupBy: 'none',
    });
    const bySource = { ...days, interval: 'none', groupBy: 'source' } as const;
    const outcomes = await this.reports.outcomes(ref, bySource, 'closed');
    const funnel = await this.reports.funnel(ref, days, 'created');
    const names = new Map([...(await this.stageNames(area)), ...(await this.reasons.names(ref))]);
    const listOf: Figures['listOf'] = (conditions, { from, to } = days) => {
      const search = new URLSearchParams({ from, to, ...conditions });
      return `${figuresPath(area)}/leads?${search.toString()}`;
    };
    return { responses, outcomes, funnel, names, locale: area.workspace.locale, listOf };
  }

  private async stageNames(area: Area): Promise<Map<string, string>> {
    const stages = await this.pipelines.stages(refOf(area));
    return new Map(stages.map(({ key, name }) => [key, name]));
  }

  /** @throws NotFound for faulty days, which no link of the page has */
  private days(request: Request, area: Area): Days {
    const form = askedPeriod(request, this.today(area));
    if (form.isFaulty) throw new NotFound('page');
    return daysOf(form);
  }

  private today(area: Area): string {
    return dayIn(area.workspace.timeZone, this.clock.now());
  }
}

/** Without the byte order mark, Excel takes UTF-8 for the encoding of the computer. */
function toCsv({ columns, rows }: FigureTable): string {
  const cells = rows.map(({ label, key = label, values }) => [
    key,
    ...values.map((value) => String(value ?? '')),
  ]);
  const records = [columns.map(({ title }) => title), ...cells];
  return `\ufeff${records.map((record) => csvRecord(record.map(guardCell))).join('')}`;
}
