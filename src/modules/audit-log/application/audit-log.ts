import type { AuditEntry } from '../domain/audit-record';

/** The append-only record of who did what, when and from where. The database refuses to change or delete entries. */
export abstract class AuditLog {
  /** Joins the running unit of work, so that the record and the action are committed together. */
  abstract append(entry: AuditEntry): Promise<void>;
}
