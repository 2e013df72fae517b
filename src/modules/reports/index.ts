import { readableWith } from '../../kernel/event-types';
import type { Feature } from '../../platform/feature';
import { LeadWithResponseResponse } from './http/lead-with-response.dto';
import { ReportsModule } from './reports.module';

export { ReportQueries } from './application/report-queries';
export {
  BASES,
  FUNNEL_BASES,
  type FunnelBasis,
  type GroupBy,
  GROUPS,
  type OutcomeBasis,
  RESPONSE_GROUPS,
} from './application/report-reader';
export { type Interval, INTERVALS } from './domain/buckets';

export const reports: Feature = {
  module: ReportsModule,
  scopes: { 'reports:read': 'See your figures: response times, funnel, outcomes, unanswered leads' },
  events: readableWith(
    'leads:read',
    {
      'lead.responded': 'A lead got its first response',
      'lead.response_overdue': 'A lead has waited for its first response for longer than the target',
    },
    {},
    LeadWithResponseResponse,
  ),
};
