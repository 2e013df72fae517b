import { fromUuid, toUuid, type Id } from '../../src/kernel/ids';
import { sql } from './sql';
import type { TestGala } from './start-gala';

export interface StoredEvent {
  id: string;
  type: string;
  mode: string;
  workspaceId: string;
  timestamp: string;
  data: any;
  previous: any;
  cause: any;
}

interface Row {
  id: string;
  workspace_id: string;
  mode: string;
  type: string;
  occurred_at: Date;
  data: unknown;
  previous: unknown;
  cause_type: string;
  cause_id: string | null;
}

/** The events that tell of one object, in the order in which they were appended. */
export async function eventsOf(gala: TestGala, objectId: string): Promise<StoredEvent[]> {
  return (await allEvents(gala)).filter(({ data }) => data.id === objectId);
}

export async function allEvents({ databaseUrl }: TestGala, workspaceId?: Id<'ws'>): Promise<StoredEvent[]> {
  const rows = await sql<Row>(
    databaseUrl,
    `SELECT * FROM events WHERE $1::uuid IS NULL OR workspace_id = $1 ORDER BY id`,
    [workspaceId ? toUuid(workspaceId) : null],
  );
  return rows.map((row) => ({
    id: fromUuid('evt', row.id),
    type: row.type,
    mode: row.mode,
    workspaceId: fromUuid('ws', row.workspace_id),
    timestamp: row.occurred_at.toISOString(),
    data: row.data,
    previous: row.previous,
    cause: { type: row.cause_type, id: row.cause_id },
  }));
}
