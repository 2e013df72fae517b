import { readableWith } from '../../kernel/event-types';
import type { Feature } from '../../platform/feature';
import { LeadResponse } from './http/lead.dto';
import { LeadSchema } from './infrastructure/lead.schema';
import { LeadsModule } from './leads.module';

export { ChangeLead } from './application/change-lead';
export { CreateLead } from './application/create-lead';
export { HoldLead } from './application/hold-lead';
export {
  type LeadAction,
  type LeadChange,
  type LeadCreation,
  LeadPolicies,
  type LeadPolicy,
} from './application/lead-policies';
export { LeadQueries } from './application/lead-queries';
export { type LeadFields, type LeadView, type NewLead, type Stage, STAGES } from './domain/lead';

export const leads: Feature = {
  module: LeadsModule,
  schemas: [LeadSchema],
  scopes: {
    'leads:read': 'See your leads: names, emails, phones, event details',
    'leads:write': 'Create, update and archive leads',
  },
  events: readableWith(
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
};
