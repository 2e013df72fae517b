import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { fromUuid, toUuid, type UserId, type WorkspaceId } from '../../../kernel/ids';
import type { Role } from '../../../kernel/role';
import { hashSecretToken } from '../../../kernel/secret-token';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import type { Member } from '../application/member-repository';
import {
  type InvitationOffer,
  Members,
  type Membership,
  type PendingInvitation,
} from '../application/members';
import type { Invitation } from '../domain/invitation';
import type { Workspace } from '../domain/workspace';
import { InvitationSchema } from './invitation.schema';
import { WorkspaceSchema } from './workspace.schema';

@Injectable()
export class PostgresMembers extends Members {
  private readonly workspaces: EntityStatements<Workspace>;
  private readonly invitations: EntityStatements<Invitation>;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
    this.workspaces = database.statements(WorkspaceSchema);
    this.invitations = database.statements(InvitationSchema);
  }

  async list(workspaceId: WorkspaceId): Promise<{ members: Member[]; invitations: PendingInvitation[] }> {
    const members = await this.database.sql<{ user_id: string } & Omit<Member, 'userId'>>(
      `SELECT m.user_id, u.email, m.role, m.is_paused AS "isPaused"
       FROM memberships m JOIN users u ON u.id = m.user_id
       WHERE m.workspace_id = $1 AND m.leaving_at IS NULL ORDER BY u.email_key`,
      [toUuid(workspaceId)],
    );
    const invitations = await this.database.sql<{ inviter_email: string }>(
      `SELECT ${this.invitations.columns}, u.email AS inviter_email
       FROM invitations JOIN users u ON u.id = invitations.invited_by
       WHERE workspace_id = $1 AND expires_at > $2 ORDER BY invitations.email_key`,
      [toUuid(workspaceId), this.clock.now()],
    );
    return {
      members: members.map(({ user_id, ...rest }) => ({ userId: fromUuid('user', user_id), ...rest })),
      invitations: invitations.map((row) => {
        const { id, email, role, createdAt, expiresAt } = this.invitations.read(row);
        return { id, email, role, createdAt, expiresAt, inviterEmail: row.inviter_email };
      }),
    };
  }

  async hold(workspaceId: WorkspaceId, userId: UserId): Promise<boolean> {
    const rows = await this.database.sql(
      'SELECT FROM memberships WHERE workspace_id = $1 AND user_id = $2 AND leaving_at IS NULL FOR KEY SHARE',
      [toUuid(workspaceId), toUuid(userId)],
    );
    return rows.length > 0;
  }

  async hasTeam(workspaceId: WorkspaceId): Promise<boolean> {
    const found = await this.database.sql(
      `SELECT FROM invitations WHERE workspace_id = $1
       UNION ALL (SELECT FROM memberships WHERE workspace_id = $1 AND leaving_at IS NULL OFFSET 1) LIMIT 1`,
      [toUuid(workspaceId)],
    );
    return found.length > 0;
  }

  async membershipOf(workspaceId: WorkspaceId, userId: UserId): Promise<Membership | undefined> {
    const [membership] = await this.memberships(
      'm.workspace_id = $1 AND m.user_id = $2',
      toUuid(workspaceId),
      toUuid(userId),
    );
    return membership;
  }

  workspacesOf(userId: UserId): Promise<Membership[]> {
    return this.memberships(
      'm.user_id = $1 ORDER BY workspaces.name COLLATE "und-x-icu", workspaces.id',
      toUuid(userId),
    );
  }

  async findInvitation(token: string): Promise<InvitationOffer | undefined> {
    const [offer] = await this.database.sql<InvitationOffer>(
      `SELECT w.name AS "workspaceName", i.email, i.role, u.email AS "inviterEmail",
              i.expires_at AS "expiresAt"
       FROM invitations i JOIN workspaces w ON w.id = i.workspace_id JOIN users u ON u.id = i.invited_by
       WHERE i.hash = $1 AND i.expires_at > $2`,
      [hashSecretToken(token), this.clock.now()],
    );
    return offer;
  }

  private async memberships(condition: string, ...values: unknown[]): Promise<Membership[]> {
    const rows = await this.database.sql<{ role: Role }>(
      `SELECT ${this.workspaces.columns}, m.role
       FROM memberships m JOIN workspaces ON workspaces.id = m.workspace_id
       WHERE m.leaving_at IS NULL AND ${condition}`,
      values,
    );
    return rows.map((row) => ({ workspace: this.workspaces.read(row), role: row.role }));
  }
}
