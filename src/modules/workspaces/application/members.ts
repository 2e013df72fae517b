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

/** What the one who was invited is shown before joining. */
export interface InvitationOffer {
  readonly workspaceName: string;
  readonly email: string;
  readonly role: Role;
  readonly inviterEmail: string;
}

/** Who belongs to which workspaces, and who could soon. */
export abstract class Members implements Memberships {
  /** By e-mail address. */
  abstract list(workspaceId: WorkspaceId): Promise<{ members: Member[]; invitations: PendingInvitation[] }>;
  abstract membershipOf(workspaceId: WorkspaceId, userId: UserId): Promise<Membership | undefined>;
  /** By name of the workspace. */
  abstract workspacesOf(userId: UserId): Promise<Membership[]>;
  /** Undefined for a token that never was, was used or replaced, or has expired. */
  abstract findInvitation(token: string): Promise<InvitationOffer | undefined>;
}
