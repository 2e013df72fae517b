import type { Actor } from '../../../kernel/actor';
import { type InstallationId, parseId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';

/** Whose endpoints: all of a workspace, or those alone that an app made. Others’ don’t exist for an app. */
export interface EndpointOwner extends WorkspaceRef {
  /** Null for all. */
  readonly installationId: InstallationId | null;
}

export function endpointsOf(
  { workspaceId, mode }: WorkspaceRef,
  { type, id }: Pick<Actor, 'type' | 'id'>,
): EndpointOwner {
  if (type !== 'oauth') return { workspaceId, mode, installationId: null };
  const installationId = parseId('inst', id ?? '');
  if (!installationId) throw new Error(`The app that calls has no installation: ${String(id)}`);
  return { workspaceId, mode, installationId };
}
