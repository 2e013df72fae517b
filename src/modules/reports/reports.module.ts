import { Module } from '@nestjs/common';
import { JourneyQueries, JourneyReader } from './application/journey-queries';
import { JourneyController } from './http/journey.controller';
import { PostgresJourneyReader } from './infrastructure/journey.reader';

@Module({
  controllers: [JourneyController],
  providers: [JourneyQueries, { provide: JourneyReader, useClass: PostgresJourneyReader }],
})
export class ReportsModule {}
