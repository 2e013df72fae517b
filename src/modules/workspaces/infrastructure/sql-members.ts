import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { fromUuid, toUuid, type UserId, type WorkspaceId } from '../../../kernel/ids';
import { hashSecretToken } from '../../../kernel/secret-token';
import { Database } from '../../../platform/persistence/database';
import type { Member } from '../application/member-repository';
import {
  type InvitationOffer,
  Members,
  type Membership,
  type PendingInvitation,
} from '../application/members';
import type { Role } from '../domain/role';

interface MembershipRow {
  id: string;
  name: string;
  time_zone: string;
  currency: string;
  locale: string;
  created_at: Date;
  role: Role;
}

interface InvitationRow {
  id: string;
  email: string;
  role: Role;
  inviter_email: string;
  created_at: Date;
  expires_at: Date;
}

const MEMBERSHIPS = `SELECT w.id, w.name, w.time_zone, w.currency, w.locale, w.created_at, m.role
  FROM memberships m JOIN workspaces w ON w.id = m.workspace_id`;

@Injectable()
export class SqlMembers extends Members {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  async list(workspaceId: WorkspaceId): Promise<{ members: Member[]; invitations: PendingInvitation[] }> {
    const members = await this.database.query<{ user_id: string; email: string; role: Role }>({
      text: `SELECT m.user_id, u.email, m.role FROM memberships m JOIN users u ON u.id = m.user_id
             WHERE m.workspace_id = $1 ORDER BY u.email_key`,
      values: [toUuid(workspaceId)],
    });
    const invitations = await this.database.query<InvitationRow>({
      text: `SELECT i.id, i.email, i.role, u.email AS inviter_email, i.created_at, i.expires_at
             FROM invitations i JOIN users u ON u.id = i.invited_by
             WHERE i.workspace_id = $1 AND i.expires_at > $2 ORDER BY i.email_key`,
      values: [toUuid(workspaceId), this.clock.now()],
    });
    return {
      members: members.map(({ user_id, ...rest }) => ({ userId: fromUuid('user', user_id), ...rest })),
      invitations: invitations.map(toInvitation),
    };
  }

  async membershipOf(workspaceId: WorkspaceId, userId: UserId): Promise<Membership | undefined> {
    const [row] = await this.database.query<MembershipRow>({
      text: `${MEMBERSHIPS} WHERE m.workspace_id = $1 AND m.user_id = $2`,
      values: [toUuid(workspaceId), toUuid(userId)],
    });
    return row && toMembership(row);
  }

  async workspacesOf(userId: UserId): Promise<Membership[]> {
    const rows = await this.database.query<MembershipRow>({
      text: `${MEMBERSHIPS} WHERE m.user_id = $1 ORDER BY w.name COLLATE "und-x-icu", w.id`,
      values: [toUuid(userId)],
    });
    return rows.map(toMembership);
  }

  async findInvitation(token: string): Promise<InvitationOffer | undefined> {
    const [offer] = await this.database.query<InvitationOffer>({
      text: `SELECT w.name AS "workspaceName", i.email, i.role, u.email AS "inviterEmail"
             FROM invitations i JOIN workspaces w ON w.id = i.workspace_id JOIN users u ON u.id = i.invited_by
             WHERE i.hash = $1 AND i.expires_at > $2`,
      values: [hashSecretToken(token), this.clock.now()],
    });
    return offer;
  }
}

function toMembership({ id, time_zone, created_at, role, ...rest }: MembershipRow): Membership {
  const workspace = { ...rest, id: fromUuid('ws', id), timeZone: time_zone, createdAt: created_at };
  return { workspace, role };
}

function toInvitation(row: InvitationRow): PendingInvitation {
  return {
    id: fromUuid('inv', row.id),
    email: row.email,
    role: row.role,
    inviterEmail: row.inviter_email,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
