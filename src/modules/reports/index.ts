import type { Feature } from '../../platform/feature';
import { ReportsModule } from './reports.module';

export const reports: Feature = { module: ReportsModule };
