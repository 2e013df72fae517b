import { Injectable } from '@nestjs/common';
import { fromUuid, toUuid, type UserId, type WorkspaceId } from '../../../kernel/ids';
import type { Role } from '../../../kernel/role';
import { foldText } from '../../../kernel/text';
import { Database } from '../../../platform/persistence/database';
import { type LeavingMember, type Member, MemberRepository } from '../application/member-repository';

interface Row {
  user_id: string;
  email: string;
  role: Role;
  is_paused: boolean;
}

/** The advisory lock of a member's hand-over. */
const HAND_OVER = `hashtextextended($1::uuid || ' hand-over ' || $2::uuid, 0)`;

@Injectable()
export class PostgresMemberRepository extends MemberRepository {
  constructor(private readonly database: Database) {
    super();
  }

  /** Waits for the running step of a hand-over, so that nothing is taken from someone who is back. */
  async add(workspaceId: WorkspaceId, userId: UserId, role: Role): Promise<void> {
    await this.database.sql(`SELECT pg_advisory_xact_lock(${HAND_OVER})`, [
      toUuid(workspaceId),
      toUuid(userId),
    ]);
    await this.database.sql(
      `INSERT INTO memberships AS m (workspace_id, user_id, role) VALUES ($1, $2, $3)
       ON CONFLICT (workspace_id, user_id) DO UPDATE
       SET role = excluded.role, leaving_at = NULL, removed_by = NULL, successor_id = NULL
       WHERE m.leaving_at IS NOT NULL`,
      [toUuid(workspaceId), toUuid(userId), role],
    );
  }

  find(workspaceId: WorkspaceId, userId: UserId): Promise<Member | undefined> {
    return this.findWhere('m.user_id = $2', [toUuid(workspaceId), toUuid(userId)]);
  }

  findByEmail(workspaceId: WorkspaceId, email: string): Promise<Member | undefined> {
    return this.findWhere('u.email_key = $2', [toUuid(workspaceId), foldText(email)]);
  }

  async countOwners(workspaceId: WorkspaceId): Promise<number> {
    const [row] = await this.database.sql<{ count: number }>(
      `SELECT count(*)::int FROM memberships WHERE workspace_id = $1 AND role = 'owner' AND leaving_at IS NULL`,
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

  async setPaused(workspaceId: WorkspaceId, userId: UserId, isPaused: boolean): Promise<void> {
    await this.database.sql(
      'UPDATE memberships SET is_paused = $3 WHERE workspace_id = $1 AND user_id = $2',
      [toUuid(workspaceId), toUuid(userId), isPaused],
    );
  }

  /** The lock waits for transactions that give the member something, so that the hand-over finds it. */
  async leave(
    workspaceId: WorkspaceId,
    userId: UserId,
    { removedBy, successorId }: LeavingMember,
    now: Date,
  ): Promise<void> {
    const key = [toUuid(workspaceId), toUuid(userId)];
    await this.database.sql(
      'SELECT FROM memberships WHERE workspace_id = $1 AND user_id = $2 FOR UPDATE',
      key,
    );
    await this.database.sql(
      `UPDATE memberships SET leaving_at = $3, removed_by = $4, successor_id = $5
       WHERE workspace_id = $1 AND user_id = $2`,
      [...key, now, toUuid(removedBy), successorId && toUuid(successorId)],
    );
  }

  /** An advisory lock, since the row of the membership is locked after all that is handed over. */
  async claimLeaving(workspaceId: WorkspaceId, userId: UserId): Promise<LeavingMember | undefined> {
    const [claim] = await this.database.sql<{ claimed: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${HAND_OVER}) AS claimed`,
      [toUuid(workspaceId), toUuid(userId)],
    );
    if (!claim!.claimed) return undefined;
    const [row] = await this.database.sql<{ removed_by: string; successor_id: string | null }>(
      `SELECT removed_by, successor_id FROM memberships
       WHERE workspace_id = $1 AND user_id = $2 AND leaving_at IS NOT NULL`,
      [toUuid(workspaceId), toUuid(userId)],
    );
    return (
      row && {
        removedBy: fromUuid('user', row.removed_by),
        successorId: row.successor_id === null ? null : fromUuid('user', row.successor_id),
      }
    );
  }

  async listLeaving(): Promise<{ workspaceId: WorkspaceId; userId: UserId }[]> {
    const rows = await this.database.sql<{ workspace_id: string; user_id: string }>(
      'SELECT workspace_id, user_id FROM memberships WHERE leaving_at IS NOT NULL ORDER BY leaving_at LIMIT 100',
    );
    return rows.map((row) => ({
      workspaceId: fromUuid('ws', row.workspace_id),
      userId: fromUuid('user', row.user_id),
    }));
  }

  async endLeaving(workspaceId: WorkspaceId, userId: UserId): Promise<void> {
    await this.database.sql(
      'DELETE FROM memberships WHERE workspace_id = $1 AND user_id = $2 AND leaving_at IS NOT NULL',
      [toUuid(workspaceId), toUuid(userId)],
    );
  }

  private async findWhere(condition: string, values: unknown[]): Promise<Member | undefined> {
    const [row] = await this.database.sql<Row>(
      `SELECT m.user_id, u.email, m.role, m.is_paused FROM memberships m JOIN users u ON u.id = m.user_id
       WHERE m.workspace_id = $1 AND m.leaving_at IS NULL AND ${condition}`,
      values,
    );
    return (
      row && {
        userId: fromUuid('user', row.user_id),
        email: row.email,
        role: row.role,
        isPaused: row.is_paused,
      }
    );
  }
}
