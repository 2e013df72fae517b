import type { Feature } from '../../platform/feature';
import { LeadSchema } from './infrastructure/lead.schema';
import { LeadsModule } from './leads.module';

export { CreateLead } from './application/create-lead';
export type { LeadView, NewLead } from './domain/lead';

export const leads: Feature = {
  module: LeadsModule,
  schemas: [LeadSchema],
  scopes: { 'leads:read': 'List and get leads', 'leads:write': 'Create, update and archive leads' },
};
