import type { Feature } from '../../platform/feature';
import { RequestLogModule } from './request-log.module';

export const requestLog: Feature = { module: RequestLogModule };
