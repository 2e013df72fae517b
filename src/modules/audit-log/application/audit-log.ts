import type { AuditEntry } from '../domain/audit-record';

/** Who did what, when and from where. It only grows: the database refuses to change or delete what it says. */
export abstract class AuditLog {
  /** Joins the running unit of work, so that the record is there exactly when what it tells of is. */
  abstract append(entry: AuditEntry): Promise<void>;
}
