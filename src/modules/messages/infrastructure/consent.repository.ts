import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../../../kernel/domain-event';
import type { WorkspaceRef } from '../../../kernel/principal';
import { withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import { ConsentRepository } from '../application/consent-repository';
import type { ChatIdentities } from '../domain/chat-identity';

@Injectable()
export class PostgresConsentRepository extends ConsentRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async optedOutAt(ref: WorkspaceRef, { phones, userIds }: ChatIdentities): Promise<Date | undefined> {
    const [row] = await this.database.sql<{ at: Date | null }>(
      `SELECT min(opted_out_at) AS at FROM (
         SELECT opted_out_at FROM message_opt_outs WHERE ${IN_WORKSPACE} AND phone = ANY ($3)
         UNION ALL
         SELECT opted_out_at FROM message_users WHERE ${IN_WORKSPACE} AND user_id = ANY ($4)
       ) identities`,
      [...workspaceKey(ref), phones, userIds],
    );
    return row?.at ?? undefined;
  }

  async optOut(
    ref: WorkspaceRef,
    { phones, userIds }: ChatIdentities,
    now: Date,
    events: DomainEvent[],
  ): Promise<void> {
    const text = `INSERT INTO message_opt_outs (workspace_id, mode, phone, opted_out_at)
      SELECT $1::uuid, $2, phone, $4::timestamptz FROM unnest($3::text[]) AS phone ON CONFLICT DO NOTHING`;
    await this.database.query(withEvents({ text, values: [...workspaceKey(ref), phones, now] }, events));
    await this.database.sql(
      `UPDATE message_users SET opted_out_at = $4
       WHERE ${IN_WORKSPACE} AND user_id = ANY ($3) AND opted_out_at IS NULL`,
      [...workspaceKey(ref), userIds, now],
    );
  }

  async optIn(ref: WorkspaceRef, { phones, userIds }: ChatIdentities, events: DomainEvent[]): Promise<void> {
    const text = `DELETE FROM message_opt_outs WHERE ${IN_WORKSPACE} AND phone = ANY ($3)`;
    await this.database.query(withEvents({ text, values: [...workspaceKey(ref), phones] }, events));
    await this.database.sql(
      `UPDATE message_users SET opted_out_at = NULL
       WHERE ${IN_WORKSPACE} AND user_id = ANY ($3) AND opted_out_at IS NOT NULL`,
      [...workspaceKey(ref), userIds],
    );
  }
}
