import type { Actor } from '../../../kernel/actor';
import type { AuditActionWords, AuditDetail, AuditEntry } from '../../audit-log';
import type { ApiKey } from '../domain/api-key';

/** The audit log's actions on API keys. */
export const API_KEY_ACTIONS = {
  'api_key.created': 'Created the API key {target}',
  'api_key.rotated': 'Rotated the API key {target}',
  'api_key.revoked': 'Revoked the API key {target}',
} as const satisfies AuditActionWords;

export function auditEntry(
  action: keyof typeof API_KEY_ACTIONS,
  actor: Actor,
  { workspaceId, mode, id, name }: ApiKey,
  details?: Record<string, AuditDetail>,
): AuditEntry {
  return { workspaceId, mode, actor, action, target: { id, name }, details };
}
