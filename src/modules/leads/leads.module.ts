import { Module } from '@nestjs/common';
import { HandOvers } from '../../kernel/hand-overs';
import { PolicyRunner } from '../../kernel/policies';
import { TimelineParts } from '../../kernel/timeline';
import { Exports } from '../../platform/exports/exports';
import { fieldCheck } from '../../platform/http/field-check';
import { AuditActions } from '../audit-log';
import { BrowsedMode, OverviewParts, SettingsNavigation, settingsPath, SetupSteps } from '../shell';
import { ASSIGNMENT_ACTIONS, ChangeAssignment } from './application/change-assignment';
import { ChangeLead } from './application/change-lead';
import { CopyToLive } from './application/copy-to-live';
import { CreateLead } from './application/create-lead';
import { CustomFieldReader } from './application/custom-field-reader';
import { FIELD_ACTIONS } from './application/field-actions';
import { HandOverLeads } from './application/hand-over-leads';
import { EmptyArchivedStages } from './application/empty-archived-stages';
import { HoldLead } from './application/hold-lead';
import { LeadCheck } from './application/lead-check';
import { LeadFieldRepository } from './application/lead-field-repository';
import { LeadMatches } from './application/lead-matches';
import { LeadOwners } from './application/lead-owners';
import { LeadPolicies } from './application/lead-policies';
import { LeadQueries, LeadReader } from './application/lead-queries';
import { LeadRepository } from './application/lead-repository';
import { LostReasonRepository } from './application/lost-reason-repository';
import { ManageLeadFields } from './application/manage-lead-fields';
import { ManageLostReasons } from './application/manage-lost-reasons';
import { PIPELINE_ACTIONS } from './application/pipeline-actions';
import { PipelineQueries } from './application/pipeline-queries';
import { PipelineRepository } from './application/pipeline-repository';
import { ShapePipeline } from './application/shape-pipeline';
import { StageEntry } from './application/stage-entry';
import { WriteLeads } from './application/write-leads';
import { AutomationsController } from './http/automations.controller';
import { checkLead } from './http/check-lead';
import { LeadResponse, UpdateLeadBody } from './http/lead.dto';
import { LeadFieldsController } from './http/lead-fields.controller';
import { LeadsController } from './http/leads.controller';
import { LeadsExportController } from './http/leads-export.controller';
import { LostReasonsController } from './http/lost-reasons.controller';
import { StagesController } from './http/stages.controller';
import { WriteLeadsController } from './http/write-leads.controller';
import { CachedCustomFieldReader } from './infrastructure/custom-field.reader';
import { PostgresLeadFieldRepository } from './infrastructure/lead-field.repository';
import { PostgresLeadMatches } from './infrastructure/lead-matches.repository';
import { PostgresLeadOwners } from './infrastructure/lead-owners.repository';
import { PostgresLeadReader } from './infrastructure/lead.reader';
import { PostgresLeadRepository } from './infrastructure/lead.repository';
import { PostgresLostReasonRepository } from './infrastructure/lost-reason.repository';
import { PostgresPipelineRepository } from './infrastructure/pipeline.repository';
import { OwnSettings } from './infrastructure/own-settings';
import { StageMover } from './infrastructure/stage-mover';
import { StageTimeline } from './infrastructure/stage-timeline';
import { AssignmentController } from './pages/assignment.controller';
import { FieldsPagesController } from './pages/fields.controller';
import { LeadForms } from './pages/lead-forms';
import { LeadPage } from './pages/lead-page';
import { LeadPageParts } from './pages/lead-page-parts';
import { LeadPagesController } from './pages/lead.controller';
import { LeadsDownloadController } from './pages/leads-download.controller';
import { LeadsOverview } from './pages/leads-overview';
import { LeadsSummary } from './pages/leads-summary';
import { LeadsPagesController } from './pages/leads.controller';
import { LostReasonPagesController } from './pages/lost-reasons.controller';
import { NewLeadsFigure } from './pages/new-leads-figure';
import { StagesOverview } from './pages/stages-overview';
import { StagesPagesController } from './pages/stages.controller';

@Module({
  controllers: [
    LeadsController,
    WriteLeadsController,
    LeadsExportController,
    StagesController,
    AutomationsController,
    LostReasonsController,
    LeadFieldsController,
    AssignmentController,
    StagesPagesController,
    LostReasonPagesController,
    FieldsPagesController,
    LeadsDownloadController,
    LeadsPagesController,
    LeadPagesController,
  ],
  providers: [
    ChangeAssignment,
    ChangeLead,
    CopyToLive,
    CreateLead,
    EmptyArchivedStages,
    HandOverLeads,
    HoldLead,
    LeadForms,
    LeadPage,
    LeadPageParts,
    LeadQueries,
    LeadsOverview,
    LeadsSummary,
    ManageLeadFields,
    ManageLostReasons,
    NewLeadsFigure,
    OwnSettings,
    PipelineQueries,
    ShapePipeline,
    StageEntry,
    StageMover,
    StageTimeline,
    StagesOverview,
    WriteLeads,
    {
      provide: LeadPolicies,
      useFactory: (runner: PolicyRunner) =>
        new LeadPolicies('lead', runner, fieldCheck(UpdateLeadBody, 'tags')),
      inject: [PolicyRunner],
    },
    { provide: LeadCheck, useValue: { check: checkLead } satisfies LeadCheck },
    { provide: CustomFieldReader, useClass: CachedCustomFieldReader },
    { provide: LeadFieldRepository, useClass: PostgresLeadFieldRepository },
    { provide: LeadMatches, useClass: PostgresLeadMatches },
    { provide: LeadOwners, useClass: PostgresLeadOwners },
    { provide: LeadReader, useClass: PostgresLeadReader },
    { provide: LeadRepository, useClass: PostgresLeadRepository },
    { provide: LostReasonRepository, useClass: PostgresLostReasonRepository },
    { provide: PipelineRepository, useClass: PostgresPipelineRepository },
  ],
  exports: [
    ChangeLead,
    CreateLead,
    CustomFieldReader,
    HoldLead,
    LeadMatches,
    LeadPage,
    LeadPageParts,
    LeadPolicies,
    LeadQueries,
    ManageLostReasons,
    PipelineQueries,
    WriteLeads,
  ],
})
export class LeadsModule {
  constructor(
    handOvers: HandOvers,
    handOverLeads: HandOverLeads,
    timeline: TimelineParts,
    stageTimeline: StageTimeline,
    actions: AuditActions,
    navigation: SettingsNavigation,
    exports: Exports,
    customFields: CustomFieldReader,
    browsedMode: BrowsedMode,
    queries: LeadQueries,
    overview: OverviewParts,
    summary: LeadsSummary,
    figure: NewLeadsFigure,
    steps: SetupSteps,
  ) {
    overview.add(summary, figure);
    steps.add({
      position: 2,
      label: 'Receive a lead',
      hint: 'From your website, an app or a file, or added by hand.',
      path: (area) => settingsPath(area, `${area.mode}/leads`),
      isDone: (workspaceId) => queries.hasAny(workspaceId),
    });
    exports.add('leads', LeadResponse, {
      field: 'custom',
      keysIn: async (ref) => (await customFields.find(ref)).active.map(({ key }) => key),
    });
    handOvers.add(handOverLeads);
    timeline.add(stageTimeline);
    actions.register(ASSIGNMENT_ACTIONS);
    actions.register(PIPELINE_ACTIONS);
    actions.register(FIELD_ACTIONS);
    browsedMode.knowLiveDataBy(async (workspaceId) => {
      const counts = await queries.countByStage({ workspaceId, mode: 'live' });
      return [...counts.values()].some((leads) => leads > 0);
    });
    navigation.add({ group: 'Sales', label: 'Leads', path: ':mode/leads', least: 'member', position: 0 });
    navigation.add({ group: 'Sales', label: 'Stages', path: ':mode/stages', least: 'admin', position: 6 });
    navigation.add({
      group: 'Sales',
      label: 'Assignment',
      path: ':mode/assignment',
      least: 'admin',
      position: 7,
    });
    navigation.add({ group: 'Sales', label: 'Fields', path: ':mode/fields', least: 'admin', position: 8 });
  }
}
