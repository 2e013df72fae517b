import type { WorkspaceId } from '../../../kernel/ids';
import type { Role, User, Workspace } from '../domain/workspace';

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
  /** All workspaces of this installation, oldest first. */
  abstract list(): Promise<WorkspaceOverview[]>;
  /** The user with that e-mail address, ignoring case; made from `user` when there is none. */
  abstract findOrAddUser(user: User): Promise<User>;
  abstract addMember(workspace: Workspace, user: User, role: Role): Promise<void>;
}
