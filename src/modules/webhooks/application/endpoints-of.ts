import type { Actor } from '../../../kernel/actor';
import { type InstallationId, parseId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';

/** The endpoints that an actor can see: all of the workspace, or for an app those it has created itself. */
export interface EndpointOwner extends WorkspaceRef {
  /** Null means all endpoints. */
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
