import { Injectable } from '@nestjs/common';
import type { CauseType } from '../../../kernel/cause';
import { type EventId, fromUuid, toUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { Mode } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { cutToSize, offsetOf, type PageRow, toSlice, withTotal } from '../../../platform/persistence/keyset';
import { Parameters } from '../../../platform/persistence/parameters';
import type { EndpointOwner } from '../application/endpoints-of';
import { type EventFilter, EventReader, type EventView } from '../application/event-queries';

export interface EventRow {
  id: string;
  type: string;
  occurred_at: Date;
  mode: Mode;
  workspace_id: string;
  data: object;
  previous: object | null;
  cause_type: CauseType;
  cause_id: string | null;
}

export const EVENT_COLUMNS = 'type, occurred_at, mode, workspace_id, data, previous, cause_type, cause_id';

@Injectable()
export class PostgresEventReader extends EventReader {
  constructor(private readonly database: Database) {
    super();
  }

  /** Sorts by id, which begins with the time. So the primary key suffices, and appends maintain no other index. */
  async list(
    { installationId, ...ref }: EndpointOwner,
    { type, types }: EventFilter,
    request: PageRequest,
  ): Promise<Slice<EventView>> {
    const { after, limit } = request;
    const parameters = new Parameters();
    const where = [
      ...parameters.inWorkspace(ref),
      ...parameters.when(type, (place) => `type = ${place}`),
      ...parameters.when(types, (place) => `type = ANY(${place}::text[])`),
      ...(installationId ? [isNoTestOfOthers(parameters.add(toUuid(installationId)))] : []),
    ].join(' AND ');
    const range = after ? ` AND id < ${parameters.add(toUuid(after.id as EventId))}::uuid` : '';
    const page = `
      SELECT id, ${EVENT_COLUMNS} FROM events WHERE ${where}${range}
      ORDER BY id DESC LIMIT ${parameters.add(limit + 1)} OFFSET ${parameters.add(offsetOf(request))}`;
    const total = `(SELECT count(*)::int FROM events WHERE ${where})`;
    const text = withTotal(total, cutToSize(page, 'id DESC'), 'id DESC');
    return toSlice(await this.database.sql<PageRow<EventRow>>(text, parameters.values), limit, toView);
  }
}

/** Tests hold an endpoint’s details. Deliveries are created at the time of their event, which finds them by index. */
export function isNoTestOfOthers(installation: string): string {
  return `(events.type <> 'webhook.test' OR EXISTS (
    SELECT FROM webhook_endpoints e JOIN webhook_deliveries d
      ON (d.workspace_id, d.mode, d.endpoint_id) = (e.workspace_id, e.mode, e.id)
    WHERE (e.workspace_id, e.mode) = (events.workspace_id, events.mode) AND e.installation_id = ${installation}
      AND d.created_at = events.occurred_at AND d.event_id = events.id))`;
}

export function toView(row: EventRow): EventView {
  return {
    id: fromUuid('evt', row.id),
    type: row.type,
    timestamp: row.occurred_at,
    mode: row.mode,
    workspaceId: fromUuid('ws', row.workspace_id),
    apiVersion: 'v1',
    cause: { type: row.cause_type, id: row.cause_id },
    data: row.data,
    ...(row.previous && { previous: row.previous }),
  };
}
