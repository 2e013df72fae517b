import { type DomainEvent, domainEvent } from '../../../kernel/domain-event';
import type { AppId, InstallationId, UserId, WorkspaceId } from '../../../kernel/ids';
import type { Mode } from '../../../kernel/principal';

/** An app in one workspace and mode. */
export interface Installation {
  readonly workspaceId: WorkspaceId;
  readonly mode: Mode;
  readonly id: InstallationId;
  readonly appId: AppId;
  readonly appName: string;
  /** The scopes of the latest consent. */
  readonly scopes: readonly string[];
  readonly installedBy: UserId;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly removedAt: Date | null;
}

export function installationEvent(
  type: 'app.installed' | 'app.uninstalled',
  installation: Installation,
  timestamp: Date,
): DomainEvent {
  const { workspaceId, mode, ...data } = installation;
  const previous = type === 'app.uninstalled' ? { removedAt: null } : undefined;
  return domainEvent({ type, workspace: { workspaceId, mode }, timestamp, data, previous });
}
