import { Module } from '@nestjs/common';
import { PolicyRunner } from '../../kernel/policies';
import { fieldCheck } from '../../platform/http/field-check';
import { ChangeLead } from './application/change-lead';
import { CreateLead } from './application/create-lead';
import { HoldLead } from './application/hold-lead';
import { LeadPolicies } from './application/lead-policies';
import { LeadQueries, LeadReader } from './application/lead-queries';
import { LeadRepository } from './application/lead-repository';
import { UpdateLeadBody } from './http/lead.dto';
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
    {
      provide: LeadPolicies,
      useFactory: (runner: PolicyRunner) =>
        new LeadPolicies('lead', runner, fieldCheck(UpdateLeadBody, 'tags')),
      inject: [PolicyRunner],
    },
    { provide: LeadReader, useClass: PostgresLeadReader },
    { provide: LeadRepository, useClass: PostgresLeadRepository },
  ],
  exports: [ChangeLead, CreateLead, HoldLead, LeadPolicies, LeadQueries],
})
export class LeadsModule {}
