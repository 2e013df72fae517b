import { Injectable } from '@nestjs/common';
import { fromUuid, toUuid, type UserId, type WorkspaceId } from '../../../kernel/ids';
import { Database } from '../../../platform/persistence/database';
import { MailPreferences } from '../application/mail-preferences';

@Injectable()
export class PostgresMailPreferences extends MailPreferences {
  constructor(private readonly database: Database) {
    super();
  }

  async wantsMails(workspaceId: WorkspaceId, userId: UserId): Promise<boolean> {
    return !(await this.declinedBy(workspaceId, [userId])).has(userId);
  }

  async declinedBy(workspaceId: WorkspaceId, userIds: readonly UserId[]): Promise<Set<UserId>> {
    const rows = await this.database.sql<{ user_id: string }>(
      'SELECT user_id FROM task_mail_refusals WHERE workspace_id = $1 AND user_id = ANY ($2::uuid[])',
      [toUuid(workspaceId), userIds.map(toUuid)],
    );
    return new Set(rows.map(({ user_id }) => fromUuid('user', user_id)));
  }

  async set(workspaceId: WorkspaceId, userId: UserId, wantsMails: boolean): Promise<void> {
    const text = wantsMails
      ? 'DELETE FROM task_mail_refusals WHERE workspace_id = $1 AND user_id = $2'
      : `INSERT INTO task_mail_refusals (workspace_id, user_id)
         SELECT workspace_id, user_id FROM memberships WHERE workspace_id = $1 AND user_id = $2 FOR KEY SHARE
         ON CONFLICT DO NOTHING`;
    await this.database.sql(text, [toUuid(workspaceId), toUuid(userId)]);
  }
}
