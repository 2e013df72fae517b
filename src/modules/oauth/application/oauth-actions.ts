import type { Actor } from '../../../kernel/actor';
import type { AuditActionWords, AuditEntry } from '../../audit-log';
import type { Installation } from '../domain/installation';

export const OAUTH_ACTIONS = {
  'app.installed': 'Installed the app {target}',
  'app.uninstalled': 'Removed the app {target}',
} satisfies AuditActionWords;

export function auditEntry(
  action: keyof typeof OAUTH_ACTIONS,
  actor: Actor,
  { workspaceId, mode, id, appName, appId, scopes }: Installation,
): AuditEntry {
  return { workspaceId, mode, actor, action, target: { id, name: appName }, details: { appId, scopes } };
}
