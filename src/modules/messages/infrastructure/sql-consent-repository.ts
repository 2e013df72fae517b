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

  async optedOutAt({ workspaceId, mode }: WorkspaceRef, phone: string): Promise<Date | undefined> {
    const [row] = await this.database.query<{ opted_out_at: Date }>({
      text: `SELECT opted_out_at FROM message_opt_outs WHERE workspace_id = $1 AND mode = $2 AND phone = $3`,
      values: [toUuid(workspaceId), mode, phone],
    });
    return row?.opted_out_at;
  }

  async optOut(
    { workspaceId, mode }: WorkspaceRef,
    phone: string,
    now: Date,
    events: DomainEvent[],
  ): Promise<void> {
    const text = `INSERT INTO message_opt_outs (workspace_id, mode, phone, opted_out_at) VALUES ($1, $2, $3, $4)`;
    await this.database.query(withEvents({ text, values: [toUuid(workspaceId), mode, phone, now] }, events));
  }

  async optIn({ workspaceId, mode }: WorkspaceRef, phone: string, events: DomainEvent[]): Promise<void> {
    const text = `DELETE FROM message_opt_outs WHERE workspace_id = $1 AND mode = $2 AND phone = $3`;
    await this.database.query(withEvents({ text, values: [toUuid(workspaceId), mode, phone] }, events));
  }
}
