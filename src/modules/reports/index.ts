import type { Feature } from '../../platform/feature';
import { ReportsModule } from './reports.module';

export const reports: Feature = {
  module: ReportsModule,
  scopes: { 'reports:read': 'See your figures: response times, funnel, outcomes, unanswered leads' },
};
