import { Module } from '@nestjs/common';
import { AuditActions } from '../audit-log';
import { OverviewParts, SettingsNavigation } from '../shell';
import { AnnounceResponses, ResponseNews } from './application/announce-responses';
import { JourneyQueries, JourneyReader } from './application/journey-queries';
import { ReportQueries } from './application/report-queries';
import { ReportReader } from './application/report-reader';
import { ResponseTargetRepository, ResponseTargets, TARGET_ACTIONS } from './application/response-targets';
import { JourneyController } from './http/journey.controller';
import { ReportsController } from './http/reports.controller';
import { ResponseTargetController } from './http/response-target.controller';
import { PostgresJourneyReader } from './infrastructure/journey.reader';
import { PostgresReportReader } from './infrastructure/report.reader';
import { ResponseJob } from './infrastructure/response-job';
import { PostgresResponseNews } from './infrastructure/response-news';
import { PostgresResponseTargets } from './infrastructure/response-target.repository';
import { FiguresController } from './pages/figures.controller';
import { ResponseTargetPagesController } from './pages/response-target.controller';
import { WinRateFigure } from './pages/win-rate-figure';

@Module({
  controllers: [
    JourneyController,
    ReportsController,
    ResponseTargetController,
    FiguresController,
    ResponseTargetPagesController,
  ],
  providers: [
    AnnounceResponses,
    JourneyQueries,
    ReportQueries,
    ResponseJob,
    ResponseTargets,
    WinRateFigure,
    { provide: JourneyReader, useClass: PostgresJourneyReader },
    { provide: ReportReader, useClass: PostgresReportReader },
    { provide: ResponseNews, useClass: PostgresResponseNews },
    { provide: ResponseTargetRepository, useClass: PostgresResponseTargets },
  ],
})
export class ReportsModule {
  constructor(
    actions: AuditActions,
    navigation: SettingsNavigation,
    overview: OverviewParts,
    winRate: WinRateFigure,
  ) {
    overview.add(winRate);
    actions.register(TARGET_ACTIONS);
    navigation.add(
      { group: 'Sales', label: 'Figures', path: ':mode/figures', least: 'member', position: 5 },
      {
        ...{ group: 'Sales', label: 'Response target', path: ':mode/response-target' },
        ...{ least: 'admin', position: 10 },
      },
    );
  }
}
