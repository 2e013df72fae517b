import type { Feature } from '../../platform/feature';
import { AuditLogModule } from './audit-log.module';

export { AuditLog } from './application/audit-log';
export {
  AuditLogQueries,
  type DescribedAuditRecord,
  type RecordedActor,
} from './application/audit-log-queries';
export { type AuditActionWords, AuditActions } from './domain/audit-actions';
export type { AuditDetail, AuditEntry, AuditRecord } from './domain/audit-record';
export { actorName } from './pages/actor-name';

export const auditLog: Feature = { module: AuditLogModule };
