import { Injectable } from '@nestjs/common';
import { type InvitationId, toUuid, type UserId, type WorkspaceId } from '../../../kernel/ids';
import { foldText } from '../../../kernel/text';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { InvitationRepository } from '../application/invitation-repository';
import type { Invitation } from '../domain/invitation';
import { InvitationSchema } from './invitation.schema';

@Injectable()
export class PostgresInvitationRepository extends InvitationRepository {
  private readonly statements: EntityStatements<Invitation>;

  constructor(private readonly database: Database) {
    super();
    this.statements = database.statements(InvitationSchema);
  }

  async add(invitation: Invitation): Promise<void> {
    await this.database.query(this.statements.insert(invitation));
  }

  find(workspaceId: WorkspaceId, id: InvitationId, now: Date): Promise<Invitation | undefined> {
    return this.one('workspace_id = $2 AND id = $3', now, toUuid(workspaceId), toUuid(id));
  }

  findByEmail(workspaceId: WorkspaceId, email: string, now: Date): Promise<Invitation | undefined> {
    return this.one('workspace_id = $2 AND email_key = $3', now, toUuid(workspaceId), foldText(email));
  }

  findByHash(hash: Buffer, now: Date): Promise<Invitation | undefined> {
    return this.one('hash = $2', now, hash);
  }

  async count(workspaceId: WorkspaceId, now: Date): Promise<number> {
    const [row] = await this.database.sql<{ count: number }>(
      'SELECT count(*)::int AS count FROM invitations WHERE workspace_id = $1 AND expires_at > $2',
      [toUuid(workspaceId), now],
    );
    return row!.count;
  }

  async remove(workspaceId: WorkspaceId, id: InvitationId): Promise<void> {
    await this.removeWhere('id = $2', workspaceId, toUuid(id));
  }

  async removeIssuedBy(workspaceId: WorkspaceId, userId: UserId): Promise<void> {
    await this.removeWhere('invited_by = $2', workspaceId, toUuid(userId));
  }

  async removeExpired(workspaceId: WorkspaceId, now: Date): Promise<void> {
    await this.removeWhere('expires_at <= $2', workspaceId, now);
  }

  private async one(condition: string, now: Date, ...values: unknown[]): Promise<Invitation | undefined> {
    const text = `${this.statements.select} WHERE expires_at > $1 AND ${condition} LIMIT 1`;
    const [row] = await this.database.sql<object>(text, [now, ...values]);
    return row && this.statements.read(row);
  }

  private async removeWhere(condition: string, workspaceId: WorkspaceId, value: unknown): Promise<void> {
    await this.database.sql(`DELETE FROM invitations WHERE workspace_id = $1 AND ${condition}`, [
      toUuid(workspaceId),
      value,
    ]);
  }
}
