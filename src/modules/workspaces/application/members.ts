import type { InvitationId, UserId, WorkspaceId } from '../../../kernel/ids';
import type { Role } from '../../../kernel/role';
import type { Memberships } from '../../shell';
import type { Workspace } from '../domain/workspace';
import type { Member } from './member-repository';

export interface Membership {
  readonly workspace: Pick<Workspace, 'id' | 'name' | 'timeZone' | 'currency' | 'locale' | 'createdAt'>;
  readonly role: Role;
}

export interface PendingInvitation {
  readonly id: InvitationId;
  readonly email: string;
  readonly role: Role;
  readonly inviterEmail: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** An invitation as the invited person sees it. */
export interface InvitationOffer {
  readonly workspaceName: string;
  readonly email: string;
  readonly role: Role;
  readonly inviterEmail: string;
  readonly expiresAt: Date;
}

/** Memberships and invitations. */
export abstract class Members implements Memberships {
  /** Ordered by email address. */
  abstract list(workspaceId: WorkspaceId): Promise<{ members: Member[]; invitations: PendingInvitation[] }>;
  /**
   * Keeps a member from leaving until the unit of work ends.
   *
   * @returns false unless it is a member who stays
   */
  abstract hold(workspaceId: WorkspaceId, userId: UserId): Promise<boolean>;
  abstract membershipOf(workspaceId: WorkspaceId, userId: UserId): Promise<Membership | undefined>;
  /** Whether the workspace has more than one member, or has invited somebody. */
  abstract hasTeam(workspaceId: WorkspaceId): Promise<boolean>;
  /** Ordered by the workspace's name. */
  abstract workspacesOf(userId: UserId): Promise<Membership[]>;
  /** Undefined for an unknown, used, replaced or expired token. */
  abstract findInvitation(token: string): Promise<InvitationOffer | undefined>;
}
