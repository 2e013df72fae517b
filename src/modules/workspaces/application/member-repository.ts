import type { UserId, WorkspaceId } from '../../../kernel/ids';
import type { Role } from '../../../kernel/role';

export interface Member {
  readonly userId: UserId;
  readonly email: string;
  readonly role: Role;
  /** Whether they get no new leads. */
  readonly isPaused: boolean;
}

/** A removed member whose objects are being handed over. */
export interface LeavingMember {
  readonly removedBy: UserId;
  /** Who takes over; null for nobody. */
  readonly successorId: UserId | null;
}

/** The members of workspaces. Lock the workspace before changing them. Leaving members count as none. */
export abstract class MemberRepository {
  /** Someone who is leaving stays after all, and keeps what no step of the hand-over has moved so far. */
  abstract add(workspaceId: WorkspaceId, userId: UserId, role: Role): Promise<void>;
  abstract find(workspaceId: WorkspaceId, userId: UserId): Promise<Member | undefined>;
  /** Ignores case. */
  abstract findByEmail(workspaceId: WorkspaceId, email: string): Promise<Member | undefined>;
  abstract countOwners(workspaceId: WorkspaceId): Promise<number>;
  abstract setRole(workspaceId: WorkspaceId, userId: UserId, role: Role): Promise<void>;
  abstract setPaused(workspaceId: WorkspaceId, userId: UserId, isPaused: boolean): Promise<void>;
  /** Ends a member's access, and lets nothing more be given to them. */
  abstract leave(workspaceId: WorkspaceId, userId: UserId, leaving: LeavingMember, now: Date): Promise<void>;
  /** Resolves to undefined also while another unit of work has claimed the leaving member. Its end releases them. */
  abstract claimLeaving(workspaceId: WorkspaceId, userId: UserId): Promise<LeavingMember | undefined>;
  abstract listLeaving(): Promise<{ workspaceId: WorkspaceId; userId: UserId }[]>;
  /** Deletes the membership of a leaving member. */
  abstract endLeaving(workspaceId: WorkspaceId, userId: UserId): Promise<void>;
}
