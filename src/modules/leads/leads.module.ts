import { Module } from '@nestjs/common';
import { ChangeLead } from './application/change-lead';
import { CreateLead } from './application/create-lead';
import { HoldLead } from './application/hold-lead';
import { LeadQueries, LeadReader } from './application/lead-queries';
import { LeadRepository } from './application/lead-repository';
import { LeadsController } from './http/leads.controller';
import { SqlLeadReader } from './infrastructure/sql-lead-reader';
import { WordCounting } from './infrastructure/word-counts/word-counting';
import { WordCounts } from './infrastructure/word-counts/word-counts';
import { WordSearch } from './infrastructure/word-counts/word-search';
import { TypeOrmLeadRepository } from './infrastructure/typeorm-lead-repository';

@Module({
  controllers: [LeadsController],
  providers: [
    ChangeLead,
    CreateLead,
    HoldLead,
    LeadQueries,
    WordCounting,
    WordCounts,
    WordSearch,
    { provide: LeadReader, useClass: SqlLeadReader },
    { provide: LeadRepository, useClass: TypeOrmLeadRepository },
  ],
  exports: [ChangeLead, CreateLead, HoldLead, LeadQueries],
})
export class LeadsModule {}
