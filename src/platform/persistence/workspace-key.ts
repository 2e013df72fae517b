import { type Id, toUuid } from '../../kernel/ids';
import type { WorkspaceRef } from '../../kernel/principal';

/** Limits a statement to one workspace and mode; `workspaceKey` gives the values. */
export const IN_WORKSPACE = 'workspace_id = $1 AND mode = $2';

/** The values of a key of tenant data: workspace and mode lead each of them, ids follow. */
export function workspaceKey({ workspaceId, mode }: WorkspaceRef, ...ids: Id<string>[]): unknown[] {
  return [toUuid(workspaceId), mode, ...ids.map(toUuid)];
}
