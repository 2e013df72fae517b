import type { Feature } from '../../platform/feature';
import { RequestLogModule } from './request-log.module';

export { RequestLogQueries } from './application/request-log-queries';
export type { LoggedRequest, Outcome, RequestFilter } from './domain/logged-request';

export const requestLog: Feature = { module: RequestLogModule };
