import type { InvitationId, UserId, WorkspaceId } from '../../../kernel/ids';
import type { Invitation } from '../domain/invitation';

/** Invitations that wait for an answer; an expired one is as good as gone. Changed only while the workspace is locked. */
export abstract class InvitationRepository {
  abstract add(invitation: Invitation): Promise<void>;
  abstract find(workspaceId: WorkspaceId, id: InvitationId, now: Date): Promise<Invitation | undefined>;
  /** Compared as `foldText` has it. */
  abstract findByEmail(workspaceId: WorkspaceId, email: string, now: Date): Promise<Invitation | undefined>;
  /** The hash is what finds the workspace. */
  abstract findByHash(hash: Buffer, now: Date): Promise<Invitation | undefined>;
  abstract count(workspaceId: WorkspaceId, now: Date): Promise<number>;
  abstract remove(workspaceId: WorkspaceId, id: InvitationId): Promise<void>;
  abstract removeIssuedBy(workspaceId: WorkspaceId, userId: UserId): Promise<void>;
  abstract removeExpired(workspaceId: WorkspaceId, now: Date): Promise<void>;
}
