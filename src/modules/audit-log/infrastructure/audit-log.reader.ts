import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import { fromUuid, toUuid, type WorkspaceId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { Mode } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { readSlice } from '../../../platform/persistence/keyset';
import { Parameters } from '../../../platform/persistence/parameters';
import {
  type AuditedTarget,
  type AuditFilter,
  AuditLogReader,
  type RecordedActor,
} from '../application/audit-log-queries';
import type { AuditRecord } from '../domain/audit-record';

interface Row {
  id: string;
  occurred_at: Date;
  action: string;
  mode: Mode | null;
  actor_type: Actor['type'];
  actor_id: string | null;
  actor_name: string;
  actor_address: string | null;
  target_id: string | null;
  target_name: string;
  details: AuditRecord['details'];
}

const COLUMNS = `id, occurred_at, action, mode, actor_type, actor_id, actor_name, actor_address, target_id, target_name,
  details`;

@Injectable()
export class PostgresAuditLogReader extends AuditLogReader {
  constructor(private readonly database: Database) {
    super();
  }

  list(
    workspaceId: WorkspaceId,
    { by, kind }: AuditFilter,
    request: PageRequest,
  ): Promise<Slice<AuditRecord>> {
    const parameters = new Parameters();
    const query = {
      columns: COLUMNS,
      from: 'audit_log',
      conditions: [
        `workspace_id = ${parameters.add(toUuid(workspaceId))}`,
        ...parameters.when(by, (name) => `lower(actor_name) = lower(${name})`),
        ...parameters.when(kind, (place) => `split_part(action, '.', 1) = ${place}`),
      ],
      parameters,
      sort: { column: 'occurred_at', type: 'timestamptz', nullable: false },
      request,
    };
    return readSlice(this.database, query, toRecord);
  }

  /** The bounds on the time let the index find each record without a scan of the log. */
  async actorsOf(
    workspaceId: WorkspaceId,
    action: string,
    targets: readonly AuditedTarget[],
  ): Promise<ReadonlyMap<string, RecordedActor>> {
    const rows = await this.database.sql<{ id: string } & RecordedActor>(
      `SELECT target.id, record.actor_type AS type, record.actor_name AS name
             FROM unnest($3::text[], $4::timestamptz[]) AS target (id, at)
             CROSS JOIN LATERAL (
               SELECT actor_type, actor_name FROM audit_log
               WHERE workspace_id = $1 AND action = $2 AND target_id = target.id
                 AND occurred_at BETWEEN target.at - interval '1 minute' AND target.at + interval '1 hour'
               ORDER BY occurred_at, id LIMIT 1
             ) AS record`,
      [toUuid(workspaceId), action, targets.map(({ id }) => id), targets.map(({ at }) => at)],
    );
    return new Map(rows.map(({ id, type, name }) => [id, { type, name }]));
  }
}

function toRecord(row: Row): AuditRecord {
  return {
    id: fromUuid('aud', row.id),
    occurredAt: row.occurred_at,
    action: row.action,
    mode: row.mode,
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name, address: row.actor_address },
    target: { id: row.target_id, name: row.target_name },
    details: row.details,
  };
}
