import type { Actor } from '../../../kernel/actor';
import type { AuditActionWords, AuditEntry } from '../../audit-log';
import type { WebhookEndpoint } from '../domain/webhook-endpoint';

export const WEBHOOK_ACTIONS = {
  'webhook.created': 'Created the webhook endpoint {target}',
  'webhook.updated': 'Changed the webhook endpoint {target}',
  'webhook.secret_rotated': 'Rotated the secret of the webhook endpoint {target}',
  'webhook.deleted': 'Deleted the webhook endpoint {target}',
} satisfies AuditActionWords;
export type WebhookAction = keyof typeof WEBHOOK_ACTIONS;

export function auditEntry(
  action: WebhookAction,
  actor: Actor,
  { workspaceId, mode, id, url, events, skipCauses, status }: WebhookEndpoint,
): AuditEntry {
  return {
    workspaceId,
    mode,
    actor,
    action,
    target: { id, name: url },
    details: { events, skipCauses, status },
  };
}
