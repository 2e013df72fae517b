import { Module } from '@nestjs/common';
import { ChangeLead } from './application/change-lead';
import { CreateLead } from './application/create-lead';
import { HoldLead } from './application/hold-lead';
import { LeadQueries, LeadReader } from './application/lead-queries';
import { LeadRepository } from './application/lead-repository';
import { LeadsController } from './http/leads.controller';
import { SqlLeadReader } from './infrastructure/sql-lead-reader';
import { TypeOrmLeadRepository } from './infrastructure/typeorm-lead-repository';

@Module({
  controllers: [LeadsController],
  providers: [
    ChangeLead,
    CreateLead,
    HoldLead,
    LeadQueries,
    { provide: LeadReader, useClass: SqlLeadReader },
    { provide: LeadRepository, useClass: TypeOrmLeadRepository },
  ],
  exports: [ChangeLead, CreateLead, HoldLead, LeadQueries],
})
export class LeadsModule {}
