import type { Actor } from '../../../kernel/actor';
import type { AuditRecordId, WorkspaceId } from '../../../kernel/ids';
import type { Mode } from '../../../kernel/principal';

export type AuditDetail = string | number | boolean | null | readonly string[];

/** Something that someone did. Whole workspaces can read it: no secret, hash or token belongs in it. */
export interface AuditEntry {
  readonly workspaceId: WorkspaceId;
  /** For what happens to live or test data alone. */
  readonly mode?: Mode;
  readonly actor: Actor;
  /** `<object>.<what was done to it>`, such as `api_key.revoked`. */
  readonly action: string;
  /** What it was done to, by the name that it had then. */
  readonly target: { readonly id: string | null; readonly name: string };
  readonly details?: Readonly<Record<string, AuditDetail>>;
}

/** An entry as it stands in the log, for good. */
export interface AuditRecord extends Required<Omit<AuditEntry, 'workspaceId' | 'mode'>> {
  readonly id: AuditRecordId;
  readonly occurredAt: Date;
  readonly mode: Mode | null;
}
