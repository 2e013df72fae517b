import type { Actor } from '../../../kernel/actor';
import type { AuditRecordId, WorkspaceId } from '../../../kernel/ids';
import type { Mode } from '../../../kernel/principal';

export type AuditDetail = string | number | boolean | null | readonly string[];

/** An action to record. Admins of the workspace can read it, so it must contain no secret, hash or token. */
export interface AuditEntry {
  readonly workspaceId: WorkspaceId;
  /** Set for actions on live or test data. */
  readonly mode?: Mode;
  readonly actor: Actor;
  /** `<object>.<past participle>`, such as `api_key.revoked`. */
  readonly action: string;
  /** The object of the action, with its name at that time. */
  readonly target: { readonly id: string | null; readonly name: string };
  readonly details?: Readonly<Record<string, AuditDetail>>;
}

/** A stored entry of the log. */
export interface AuditRecord extends Required<Omit<AuditEntry, 'workspaceId' | 'mode'>> {
  readonly id: AuditRecordId;
  readonly occurredAt: Date;
  readonly mode: Mode | null;
}
