import type { InvitationId, UserId, WorkspaceId } from '../../../kernel/ids';
import type { Invitation } from '../domain/invitation';

/** Pending invitations. Expired ones are never returned. Lock the workspace before changing them. */
export abstract class InvitationRepository {
  abstract add(invitation: Invitation): Promise<void>;
  abstract find(workspaceId: WorkspaceId, id: InvitationId, now: Date): Promise<Invitation | undefined>;
  /** Compares in the form of `foldText`. */
  abstract findByEmail(workspaceId: WorkspaceId, email: string, now: Date): Promise<Invitation | undefined>;
  /** Finds an invitation in any workspace. */
  abstract findByHash(hash: Buffer, now: Date): Promise<Invitation | undefined>;
  abstract count(workspaceId: WorkspaceId, now: Date): Promise<number>;
  abstract remove(workspaceId: WorkspaceId, id: InvitationId): Promise<void>;
  abstract removeIssuedBy(workspaceId: WorkspaceId, userId: UserId): Promise<void>;
  abstract removeExpired(workspaceId: WorkspaceId, now: Date): Promise<void>;
}
