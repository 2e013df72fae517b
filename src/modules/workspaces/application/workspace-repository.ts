import type { WorkspaceId } from '../../../kernel/ids';
import type { Workspace } from '../domain/workspace';

/** A workspace with the e-mail addresses of its owners. */
export interface WorkspaceOverview extends Pick<
  Workspace,
  'id' | 'name' | 'timeZone' | 'currency' | 'createdAt'
> {
  readonly owners: string[];
}

export abstract class WorkspaceRepository {
  abstract add(workspace: Workspace): Promise<void>;
  abstract find(id: WorkspaceId): Promise<Workspace | undefined>;
  /**
   * Reads a workspace and locks it until the unit of work ends. Changes of its members and their roles lock it first, so that
   * rules about all members hold.
   */
  abstract lock(id: WorkspaceId): Promise<Workspace | undefined>;
  /** Writes a locked workspace. */
  abstract save(workspace: Workspace): Promise<void>;
  /** All workspaces of this installation, oldest first. */
  abstract list(): Promise<WorkspaceOverview[]>;
}
