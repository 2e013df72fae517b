import type { UserId, WorkspaceId } from '../../../kernel/ids';
import type { Role } from '../../../kernel/role';

export interface Member {
  readonly userId: UserId;
  readonly email: string;
  readonly role: Role;
}

/** The members of workspaces. Lock the workspace before changing them. */
export abstract class MemberRepository {
  abstract add(workspaceId: WorkspaceId, userId: UserId, role: Role): Promise<void>;
  abstract find(workspaceId: WorkspaceId, userId: UserId): Promise<Member | undefined>;
  /** Ignores case. */
  abstract findByEmail(workspaceId: WorkspaceId, email: string): Promise<Member | undefined>;
  abstract countOwners(workspaceId: WorkspaceId): Promise<number>;
  abstract setRole(workspaceId: WorkspaceId, userId: UserId, role: Role): Promise<void>;
  abstract remove(workspaceId: WorkspaceId, userId: UserId): Promise<void>;
}
