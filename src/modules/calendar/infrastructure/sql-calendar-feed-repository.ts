import { Injectable } from '@nestjs/common';
import { fromUuid, toUuid, type UserId } from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { CalendarFeedRepository } from '../application/calendar-feeds';

@Injectable()
export class SqlCalendarFeedRepository extends CalendarFeedRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async put({ workspaceId, mode }: WorkspaceRef, userId: UserId, hash: Buffer, now: Date): Promise<boolean> {
    const rows = await this.database.query({
      text: `INSERT INTO calendar_feeds (workspace_id, mode, user_id, hash, created_at)
             SELECT workspace_id, $2, user_id, $4, $5 FROM memberships
             WHERE workspace_id = $1 AND user_id = $3 FOR KEY SHARE
             ON CONFLICT (workspace_id, mode, user_id)
               DO UPDATE SET hash = EXCLUDED.hash, created_at = EXCLUDED.created_at
             RETURNING user_id`,
      values: [toUuid(workspaceId), mode, toUuid(userId), hash, now],
    });
    return rows.length > 0;
  }

  async remove({ workspaceId, mode }: WorkspaceRef, userId: UserId): Promise<boolean> {
    const rows = await this.database.query({
      text: `DELETE FROM calendar_feeds WHERE workspace_id = $1 AND mode = $2 AND user_id = $3 RETURNING user_id`,
      values: [toUuid(workspaceId), mode, toUuid(userId)],
    });
    return rows.length > 0;
  }

  async madeAt({ workspaceId, mode }: WorkspaceRef, userId: UserId): Promise<Date | undefined> {
    const [row] = await this.database.query<{ created_at: Date }>({
      text: `SELECT created_at FROM calendar_feeds WHERE workspace_id = $1 AND mode = $2 AND user_id = $3`,
      values: [toUuid(workspaceId), mode, toUuid(userId)],
    });
    return row?.created_at;
  }

  async findByHash(hash: Buffer): Promise<WorkspaceRef | undefined> {
    const [row] = await this.database.query<{ workspace_id: string; mode: Mode }>({
      text: `SELECT workspace_id, mode FROM calendar_feeds WHERE hash = $1`,
      values: [hash],
    });
    return row && { workspaceId: fromUuid('ws', row.workspace_id), mode: row.mode };
  }
}
