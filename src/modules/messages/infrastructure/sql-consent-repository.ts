import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../../../kernel/domain-event';
import { toUuid } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import { ConsentRepository } from '../application/consent-repository';
import type { ChatIdentities } from '../domain/chat-identity';

@Injectable()
export class SqlConsentRepository extends ConsentRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async optedOutAt(
    { workspaceId, mode }: WorkspaceRef,
    { phones, userIds }: ChatIdentities,
  ): Promise<Date | undefined> {
    const [row] = await this.database.query<{ at: Date | null }>({
      text: `SELECT min(opted_out_at) AS at FROM (
               SELECT opted_out_at FROM message_opt_outs WHERE workspace_id = $1 AND mode = $2 AND phone = ANY ($3)
               UNION ALL
               SELECT opted_out_at FROM message_users WHERE workspace_id = $1 AND mode = $2 AND user_id = ANY ($4)
             ) identities`,
      values: [toUuid(workspaceId), mode, phones, userIds],
    });
    return row?.at ?? undefined;
  }

  async optOut(
    { workspaceId, mode }: WorkspaceRef,
    { phones, userIds }: ChatIdentities,
    now: Date,
    events: DomainEvent[],
  ): Promise<void> {
    const text = `INSERT INTO message_opt_outs (workspace_id, mode, phone, opted_out_at)
      SELECT $1::uuid, $2, phone, $4::timestamptz FROM unnest($3::text[]) AS phone ON CONFLICT DO NOTHING`;
    await this.database.query(withEvents({ text, values: [toUuid(workspaceId), mode, phones, now] }, events));
    await this.database.query({
      text: `UPDATE message_users SET opted_out_at = $4
             WHERE workspace_id = $1 AND mode = $2 AND user_id = ANY ($3) AND opted_out_at IS NULL`,
      values: [toUuid(workspaceId), mode, userIds, now],
    });
  }

  async optIn(
    { workspaceId, mode }: WorkspaceRef,
    { phones, userIds }: ChatIdentities,
    events: DomainEvent[],
  ): Promise<void> {
    const text = `DELETE FROM message_opt_outs WHERE workspace_id = $1 AND mode = $2 AND phone = ANY ($3)`;
    await this.database.query(withEvents({ text, values: [toUuid(workspaceId), mode, phones] }, events));
    await this.database.query({
      text: `UPDATE message_users SET opted_out_at = NULL
             WHERE workspace_id = $1 AND mode = $2 AND user_id = ANY ($3) AND opted_out_at IS NOT NULL`,
      values: [toUuid(workspaceId), mode, userIds],
    });
  }
}
