import { Injectable } from '@nestjs/common';
import { fromUuid, type UserId } from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import { CalendarFeedRepository } from '../application/calendar-feeds';

@Injectable()
export class PostgresCalendarFeedRepository extends CalendarFeedRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async put(ref: WorkspaceRef, userId: UserId, hash: Buffer, now: Date): Promise<boolean> {
    const rows = await this.database.sql(
      `INSERT INTO calendar_feeds (workspace_id, mode, user_id, hash, created_at)
       SELECT workspace_id, $2, user_id, $4, $5 FROM memberships
       WHERE workspace_id = $1 AND user_id = $3 AND leaving_at IS NULL FOR KEY SHARE
       ON CONFLICT (workspace_id, mode, user_id)
         DO UPDATE SET hash = EXCLUDED.hash, created_at = EXCLUDED.created_at
       RETURNING user_id`,
      [...workspaceKey(ref, userId), hash, now],
    );
    return rows.length > 0;
  }

  async remove(ref: WorkspaceRef, userId: UserId): Promise<boolean> {
    const rows = await this.database.sql(
      `DELETE FROM calendar_feeds WHERE ${IN_WORKSPACE} AND user_id = $3 RETURNING user_id`,
      workspaceKey(ref, userId),
    );
    return rows.length > 0;
  }

  async madeAt(ref: WorkspaceRef, userId: UserId): Promise<Date | undefined> {
    const [row] = await this.database.sql<{ created_at: Date }>(
      `SELECT created_at FROM calendar_feeds WHERE ${IN_WORKSPACE} AND user_id = $3`,
      workspaceKey(ref, userId),
    );
    return row?.created_at;
  }

  async findByHash(hash: Buffer): Promise<WorkspaceRef | undefined> {
    const [row] = await this.database.sql<{ workspace_id: string; mode: Mode }>(
      'SELECT workspace_id, mode FROM calendar_feeds WHERE hash = $1',
      [hash],
    );
    return row && { workspaceId: fromUuid('ws', row.workspace_id), mode: row.mode };
  }
}
