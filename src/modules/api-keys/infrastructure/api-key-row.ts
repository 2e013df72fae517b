import { fromUuid, toUuid, type ApiKeyId } from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import type { Parameters } from '../../../platform/persistence/keyset';
import type { ApiKeyView } from '../domain/api-key';

/** A key as reads fetch it: without its hash. */
export interface ApiKeyRow {
  id: string;
  name: string;
  scopes: string[];
  mode: Mode;
  last4: string;
  created_at: Date;
  ends_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
  created_by: ApiKeyView['createdBy'];
}

export const API_KEY_COLUMNS = `id, name, scopes, mode, last4, created_at, least(expires_at, grace_ends_at) AS ends_at,
  last_used_at, revoked_at, created_by`;

export function toView(row: ApiKeyRow): ApiKeyView {
  return {
    id: fromUuid('key', row.id),
    name: row.name,
    scopes: row.scopes,
    mode: row.mode,
    last4: row.last4,
    createdAt: row.created_at,
    expiresAt: row.ends_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    createdBy: row.created_by,
  };
}

/** The keys of one workspace and mode, or with `root` that key and its descendants. */
export function visible(
  { workspaceId, mode }: WorkspaceRef,
  root: ApiKeyId | undefined,
  parameters: Parameters,
): string[] {
  const workspace = parameters.add(toUuid(workspaceId));
  const tenant = `workspace_id = ${workspace} AND mode = ${parameters.add(mode)}`;
  if (!root) return [tenant];
  const family = `
    WITH RECURSIVE family AS (
      SELECT id FROM api_keys WHERE ${tenant} AND id = ${parameters.add(toUuid(root))}
      UNION
      SELECT child.id FROM api_keys child JOIN family ON child.parent_id = family.id WHERE ${tenant}
    ) SELECT id FROM family`;
  return [tenant, `id IN (${family})`];
}
