import type { UserId, WorkspaceId } from '../../../kernel/ids';
import type { Role } from '../../../kernel/role';

/** A workspace as every page of it knows it, and the visitor's role in it. */
export interface Membership {
  readonly workspace: {
    readonly id: WorkspaceId;
    readonly name: string;
    /** tz database name. */
    readonly timeZone: string;
    /** ISO 4217 code. */
    readonly currency: string;
    /** BCP 47 tag. */
    readonly locale: string;
  };
  readonly role: Role;
}

/** Workspaces have pages in the shell too, so the shell asks for memberships through this port instead of importing them. */
export abstract class Memberships {
  /** Undefined for everyone who is not a member, whether the workspace exists or not. */
  abstract membershipOf(workspaceId: WorkspaceId, userId: UserId): Promise<Membership | undefined>;
}
