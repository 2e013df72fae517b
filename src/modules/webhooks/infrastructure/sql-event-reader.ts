import { Injectable } from '@nestjs/common';
import { type EventId, fromUuid, toUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { Mode } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { cutToSize, type PageRow, Parameters, toSlice } from '../../../platform/persistence/keyset';
import type { EndpointOwner } from '../application/endpoints-of';
import { type EventFilter, EventReader, type EventView } from '../application/event-queries';

interface Row {
  id: string;
  type: string;
  occurred_at: Date;
  mode: Mode;
  workspace_id: string;
  data: object;
  previous: object | null;
}

@Injectable()
export class SqlEventReader extends EventReader {
  constructor(private readonly database: Database) {
    super();
  }

  /** Sorts by id, which begins with the time. So the primary key suffices, and appends maintain no other index. */
  async list(
    { workspaceId, mode, installationId }: EndpointOwner,
    { type, types }: EventFilter,
    { page, limit, after }: PageRequest,
  ): Promise<Slice<EventView>> {
    const parameters = new Parameters();
    const conditions = [
      `workspace_id = ${parameters.add(toUuid(workspaceId))}`,
      `mode = ${parameters.add(mode)}`,
      ...(type === undefined ? [] : [`type = ${parameters.add(type)}`]),
      ...(types ? [`type = ANY(${parameters.add(types)}::text[])`] : []),
      ...(installationId ? [isNoTestOfOthers(parameters.add(toUuid(installationId)))] : []),
    ];
    const where = conditions.join(' AND ');
    const range = after ? ` AND id < ${parameters.add(toUuid(after.id as EventId))}::uuid` : '';
    const part = `
      SELECT id, type, occurred_at, mode, workspace_id, data, previous FROM events WHERE ${where}${range}
      ORDER BY id DESC LIMIT ${parameters.add(limit + 1)} OFFSET ${parameters.add(after ? 0 : (page - 1) * limit)}`;
    const rows = await this.database.query<PageRow<Row>>({
      text: `
        SELECT counted.total_count, page.*
        FROM (SELECT count(*)::int AS total_count FROM events WHERE ${where}) AS counted
        LEFT JOIN LATERAL (${cutToSize(part, 'id DESC')}) AS page ON true
        ORDER BY page.id DESC`,
      values: parameters.values,
    });
    return toSlice(rows, limit, toView);
  }
}

/** Tests hold an endpoint’s details. Deliveries are created at the time of their event, which finds them by index. */
function isNoTestOfOthers(installation: string): string {
  return `(events.type <> 'webhook.test' OR EXISTS (
    SELECT FROM webhook_endpoints e JOIN webhook_deliveries d
      ON (d.workspace_id, d.mode, d.endpoint_id) = (e.workspace_id, e.mode, e.id)
    WHERE (e.workspace_id, e.mode) = (events.workspace_id, events.mode) AND e.installation_id = ${installation}
      AND d.created_at = events.occurred_at AND d.event_id = events.id))`;
}

function toView(row: Row): EventView {
  return {
    id: fromUuid('evt', row.id),
    type: row.type,
    timestamp: row.occurred_at,
    mode: row.mode,
    workspaceId: fromUuid('ws', row.workspace_id),
    apiVersion: 'v1',
    data: row.data,
    ...(row.previous && { previous: row.previous }),
  };
}
