import { Module } from '@nestjs/common';
import { ChangeLead } from './application/change-lead';
import { CreateLead } from './application/create-lead';
import { HoldLead } from './application/hold-lead';
import { LeadQueries, LeadReader } from './application/lead-queries';
import { LeadRepository } from './application/lead-repository';
import { LeadsController } from './http/leads.controller';
import { PostgresLeadReader } from './infrastructure/lead.reader';
import { PostgresLeadRepository } from './infrastructure/lead.repository';

@Module({
  controllers: [LeadsController],
  providers: [
    ChangeLead,
    CreateLead,
    HoldLead,
    LeadQueries,
    { provide: LeadReader, useClass: PostgresLeadReader },
    { provide: LeadRepository, useClass: PostgresLeadRepository },
  ],
  exports: [ChangeLead, CreateLead, HoldLead, LeadQueries],
})
export class LeadsModule {}
