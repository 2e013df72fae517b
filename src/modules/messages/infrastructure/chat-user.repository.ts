import { Injectable } from '@nestjs/common';
import { fromUuid, type LeadId, toUuid } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import { type ChatUser, ChatUserRepository } from '../application/chat-user-repository';

interface Row {
  user_id: string;
  phone: string | null;
  lead_id: string | null;
}

@Injectable()
export class PostgresChatUserRepository extends ChatUserRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async find(ref: WorkspaceRef, userId: string): Promise<ChatUser | undefined> {
    const [row] = await this.database.sql<Row>(
      `SELECT user_id, phone, lead_id FROM message_users
       WHERE ${IN_WORKSPACE} AND user_id = $3`,
      [...workspaceKey(ref), userId],
    );
    return row && toUser(row);
  }

  async list(
    ref: WorkspaceRef,
    { phones, leadId }: { phones: readonly string[]; leadId: LeadId | null },
  ): Promise<ChatUser[]> {
    if (phones.length === 0 && leadId === null) return [];
    const rows = await this.database.sql<Row>(
      `SELECT user_id, phone, lead_id FROM message_users
       WHERE ${IN_WORKSPACE} AND (phone = ANY ($3) OR lead_id = $4)
       ORDER BY place DESC`,
      [...workspaceKey(ref), phones, leadId === null ? null : toUuid(leadId)],
    );
    return rows.map(toUser);
  }

  async save(ref: WorkspaceRef, { userId, phone, leadId }: ChatUser): Promise<void> {
    await this.database.sql(
      `INSERT INTO message_users (workspace_id, mode, user_id, phone, lead_id) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (workspace_id, mode, user_id) DO UPDATE
       SET phone = excluded.phone, lead_id = excluded.lead_id, place = excluded.place`,
      [...workspaceKey(ref), userId, phone, leadId === null ? null : toUuid(leadId)],
    );
  }
}

function toUser({ user_id: userId, phone, lead_id: leadId }: Row): ChatUser {
  return { userId, phone, leadId: leadId === null ? null : fromUuid('lead', leadId) };
}
