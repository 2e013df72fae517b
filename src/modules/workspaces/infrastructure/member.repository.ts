import { Injectable } from '@nestjs/common';
import { fromUuid, toUuid, type UserId, type WorkspaceId } from '../../../kernel/ids';
import type { Role } from '../../../kernel/role';
import { foldText } from '../../../kernel/text';
import { Database } from '../../../platform/persistence/database';
import { type Member, MemberRepository } from '../application/member-repository';

interface Row {
  user_id: string;
  email: string;
  role: Role;
}

@Injectable()
export class PostgresMemberRepository extends MemberRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async add(workspaceId: WorkspaceId, userId: UserId, role: Role): Promise<void> {
    await this.database.sql('INSERT INTO memberships (workspace_id, user_id, role) VALUES ($1, $2, $3)', [
      toUuid(workspaceId),
      toUuid(userId),
      role,
    ]);
  }

  find(workspaceId: WorkspaceId, userId: UserId): Promise<Member | undefined> {
    return this.findWhere('m.user_id = $2', [toUuid(workspaceId), toUuid(userId)]);
  }

  findByEmail(workspaceId: WorkspaceId, email: string): Promise<Member | undefined> {
    return this.findWhere('u.email_key = $2', [toUuid(workspaceId), foldText(email)]);
  }

  async countOwners(workspaceId: WorkspaceId): Promise<number> {
    const [row] = await this.database.sql<{ count: number }>(
      `SELECT count(*)::int FROM memberships WHERE workspace_id = $1 AND role = 'owner'`,
      [toUuid(workspaceId)],
    );
    return row!.count;
  }

  async setRole(workspaceId: WorkspaceId, userId: UserId, role: Role): Promise<void> {
    await this.database.sql('UPDATE memberships SET role = $3 WHERE workspace_id = $1 AND user_id = $2', [
      toUuid(workspaceId),
      toUuid(userId),
      role,
    ]);
  }

  async remove(workspaceId: WorkspaceId, userId: UserId): Promise<void> {
    await this.database.sql('DELETE FROM memberships WHERE workspace_id = $1 AND user_id = $2', [
      toUuid(workspaceId),
      toUuid(userId),
    ]);
  }

  private async findWhere(condition: string, values: unknown[]): Promise<Member | undefined> {
    const [row] = await this.database.sql<Row>(
      `SELECT m.user_id, u.email, m.role FROM memberships m JOIN users u ON u.id = m.user_id
       WHERE m.workspace_id = $1 AND ${condition}`,
      values,
    );
    return row && { userId: fromUuid('user', row.user_id), email: row.email, role: row.role };
  }
}
