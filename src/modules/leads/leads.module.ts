import { Module } from '@nestjs/common';
import { HandOvers } from '../../kernel/hand-overs';
import { PolicyRunner } from '../../kernel/policies';
import { fieldCheck } from '../../platform/http/field-check';
import { AuditActions } from '../audit-log';
import { SettingsNavigation } from '../shell';
import { ASSIGNMENT_ACTIONS, ChangeAssignment } from './application/change-assignment';
import { ChangeLead } from './application/change-lead';
import { CreateLead } from './application/create-lead';
import { HandOverLeads } from './application/hand-over-leads';
import { HoldLead } from './application/hold-lead';
import { LeadOwners } from './application/lead-owners';
import { LeadPolicies } from './application/lead-policies';
import { LeadQueries, LeadReader } from './application/lead-queries';
import { LeadRepository } from './application/lead-repository';
import { UpdateLeadBody } from './http/lead.dto';
import { LeadsController } from './http/leads.controller';
import { PostgresLeadOwners } from './infrastructure/lead-owners.repository';
import { PostgresLeadReader } from './infrastructure/lead.reader';
import { PostgresLeadRepository } from './infrastructure/lead.repository';
import { AssignmentController } from './pages/assignment.controller';

@Module({
  controllers: [LeadsController, AssignmentController],
  providers: [
    ChangeAssignment,
    ChangeLead,
    CreateLead,
    HandOverLeads,
    HoldLead,
    LeadQueries,
    {
      provide: LeadPolicies,
      useFactory: (runner: PolicyRunner) =>
        new LeadPolicies('lead', runner, fieldCheck(UpdateLeadBody, 'tags')),
      inject: [PolicyRunner],
    },
    { provide: LeadOwners, useClass: PostgresLeadOwners },
    { provide: LeadReader, useClass: PostgresLeadReader },
    { provide: LeadRepository, useClass: PostgresLeadRepository },
  ],
  exports: [ChangeLead, CreateLead, HoldLead, LeadPolicies, LeadQueries],
})
export class LeadsModule {
  constructor(
    handOvers: HandOvers,
    handOverLeads: HandOverLeads,
    actions: AuditActions,
    navigation: SettingsNavigation,
  ) {
    handOvers.add(handOverLeads);
    actions.register(ASSIGNMENT_ACTIONS);
    navigation.add({
      group: 'Sales',
      label: 'Assignment',
      path: ':mode/assignment',
      least: 'admin',
      position: 4,
    });
  }
}
