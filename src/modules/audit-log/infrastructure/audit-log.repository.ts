import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { newId, toUuid } from '../../../kernel/ids';
import { Database } from '../../../platform/persistence/database';
import { AuditLog } from '../application/audit-log';
import type { AuditEntry } from '../domain/audit-record';

@Injectable()
export class PostgresAuditLog extends AuditLog {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  async append({ workspaceId, mode, actor, action, target, details = {} }: AuditEntry): Promise<void> {
    await this.database.sql(
      `INSERT INTO audit_log (workspace_id, id, occurred_at, action, mode, actor_type, actor_id, actor_name,
                              actor_address, target_id, target_name, details)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        toUuid(workspaceId),
        toUuid(newId('aud')),
        this.clock.now(),
        action,
        mode ?? null,
        actor.type,
        actor.id,
        actor.name,
        actor.address,
        target.id,
        target.name,
        JSON.stringify(details),
      ],
    );
  }
}
