import { readableWith } from '../../kernel/event-types';
import type { Feature } from '../../platform/feature';
import { LeadResponse } from './http/lead.dto';
import { LeadFieldResponse } from './http/lead-field.dto';
import { LostReasonResponse } from './http/lost-reason.dto';
import { StageResponse } from './http/stage.dto';
import { LeadFieldSchema } from './infrastructure/lead-field.schema';
import { LeadSchema } from './infrastructure/lead.schema';
import { LostReasonSchema } from './infrastructure/lost-reason.schema';
import { PipelineStageSchema } from './infrastructure/pipeline-stage.schema';
import { LeadsModule } from './leads.module';

export { ChangeLead } from './application/change-lead';
export { CreateLead } from './application/create-lead';
export { CustomFieldReader } from './application/custom-field-reader';
export { HoldLead } from './application/hold-lead';
export {
  type LeadAction,
  type LeadChange,
  type LeadCreation,
  LeadPolicies,
  type LeadPolicy,
} from './application/lead-policies';
export { LeadQueries } from './application/lead-queries';
export { LeadMatches } from './application/lead-matches';
export {
  type LeadOperation,
  type LeadWrite,
  type LeadWritten,
  type MatchField,
  type OnExisting,
  type OnMultiple,
  type RefusedWrite,
} from './application/lead-writes';
export { ManageLostReasons } from './application/manage-lost-reasons';
export { PipelineQueries } from './application/pipeline-queries';
export { MAX_WRITES, WriteLeads } from './application/write-leads';
export type { CustomFields, CustomValues } from './domain/custom-fields';
export type { LeadFieldView } from './domain/lead-field';
export type { CheckedLead } from './application/lead-check';
export { checkLead } from './http/check-lead';
export { LeadResponse } from './http/lead.dto';
export { LeadPage } from './pages/lead-page';
export { type LeadColumn, type LeadPanel, LeadPageParts, type PanelRequest } from './pages/lead-page-parts';
export { leadPath } from './pages/lead-paths';
export type { LeadFields, LeadView, NewLead } from './domain/lead';
export { normalisePhone } from './domain/phone';
export type { StageView } from './domain/pipeline-stage';
export { type Outcome, type Stage, type StageKey, type StageRole, STAGES } from './domain/stage';

export const leads: Feature = {
  module: LeadsModule,
  schemas: [LeadSchema, PipelineStageSchema, LostReasonSchema, LeadFieldSchema],
  scopes: {
    'leads:read': 'See your leads: names, emails, phones, event details',
    'leads:write': 'Create, update and archive leads',
    'schema:write': 'Change the stages and fields of your leads, and the reasons for which you lose them',
  },
  events: {
    ...readableWith(
      'leads:read',
      {
        'lead.created': 'A lead was created',
        'lead.updated': 'A lead’s fields were changed',
        'lead.stage_changed': 'A lead was moved to another stage',
        'lead.assigned': 'A lead got another owner, or none',
        'lead.archived': 'A lead was archived',
        'lead.restored': 'An archived lead was restored',
      },
      {},
      LeadResponse,
    ),
    ...readableWith(
      'leads:read',
      {
        'stage.created': 'A stage was added',
        'stage.updated': 'A stage was changed or moved in the order',
        'stage.archived': 'A stage was archived',
        'stage.restored': 'An archived stage was restored',
      },
      {},
      StageResponse,
    ),
    ...readableWith(
      'leads:read',
      {
        'lost_reason.created': 'A lost reason was added',
        'lost_reason.updated': 'A lost reason was renamed or restored',
        'lost_reason.archived': 'A lost reason was archived',
      },
      {},
      LostReasonResponse,
    ),
    ...readableWith(
      'leads:read',
      {
        'lead_field.created': 'A custom field of leads was added',
        'lead_field.updated': 'A custom field of leads was changed',
        'lead_field.archived': 'A custom field of leads was archived',
        'lead_field.restored': 'An archived custom field of leads was restored',
      },
      {},
      LeadFieldResponse,
    ),
  },
};
