import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../../../kernel/domain-event';
import { toUuid } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import { ConsentRepository } from '../application/consent-repository';

@Injectable()
export class SqlConsentRepository extends ConsentRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async optedOutAt(
    { workspaceId, mode }: WorkspaceRef,
    phones: readonly string[],
  ): Promise<Date | undefined> {
    const [row] = await this.database.query<{ at: Date | null }>({
      text: `SELECT min(opted_out_at) AS at FROM message_opt_outs
             WHERE workspace_id = $1 AND mode = $2 AND phone = ANY ($3)`,
      values: [toUuid(workspaceId), mode, phones],
    });
    return row?.at ?? undefined;
  }

  async optOut(
    { workspaceId, mode }: WorkspaceRef,
    phones: readonly string[],
    now: Date,
    events: DomainEvent[],
  ): Promise<void> {
    const text = `INSERT INTO message_opt_outs (workspace_id, mode, phone, opted_out_at)
      SELECT $1::uuid, $2, phone, $4::timestamptz FROM unnest($3::text[]) AS phone ON CONFLICT DO NOTHING`;
    await this.database.query(withEvents({ text, values: [toUuid(workspaceId), mode, phones, now] }, events));
  }

  async optIn(
    { workspaceId, mode }: WorkspaceRef,
    phones: readonly string[],
    events: DomainEvent[],
  ): Promise<void> {
    const text = `DELETE FROM message_opt_outs WHERE workspace_id = $1 AND mode = $2 AND phone = ANY ($3)`;
    await this.database.query(withEvents({ text, values: [toUuid(workspaceId), mode, phones] }, events));
  }
}
