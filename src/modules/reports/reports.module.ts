import { Module } from '@nestjs/common';
import { JourneyQueries, JourneyReader } from './application/journey-queries';
import { ReportQueries } from './application/report-queries';
import { ReportReader } from './application/report-reader';
import { JourneyController } from './http/journey.controller';
import { ReportsController } from './http/reports.controller';
import { PostgresJourneyReader } from './infrastructure/journey.reader';
import { PostgresReportReader } from './infrastructure/report.reader';

@Module({
  controllers: [JourneyController, ReportsController],
  providers: [
    JourneyQueries,
    ReportQueries,
    { provide: JourneyReader, useClass: PostgresJourneyReader },
    { provide: ReportReader, useClass: PostgresReportReader },
  ],
})
export class ReportsModule {}
