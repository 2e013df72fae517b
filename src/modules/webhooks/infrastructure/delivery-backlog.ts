import type { Query } from '../../../platform/persistence/with-connection';

export interface DeliveryBacklog {
  readonly due: number;
  readonly lagSeconds: number;
}

/** Deliveries that wait for an attempt now, and for how long the oldest of them. Further conditions may follow. */
export const BACKLOG = `
  SELECT count(*)::int AS due,
         coalesce(extract(epoch FROM clock_timestamp() - min(d.next_attempt_at)), 0)::float8 AS lag
  FROM webhook_deliveries d
  JOIN webhook_endpoints e ON (e.workspace_id, e.mode, e.id) = (d.workspace_id, d.mode, d.endpoint_id)
  WHERE d.status = 'pending' AND e.status = 'enabled' AND d.next_attempt_at <= clock_timestamp()`;

/** The backlog of a database of any version; undefined when it has no deliveries yet. */
export async function deliveryBacklog(query: Query): Promise<DeliveryBacklog | undefined> {
  const [table] = await query<{ exists: boolean }>({
    text: `SELECT to_regclass('webhook_deliveries') IS NOT NULL AS exists`,
    values: [],
  });
  if (!table!.exists) return undefined;
  const [row] = await query<{ due: number; lag: number }>({ text: BACKLOG, values: [] });
  return { due: row!.due, lagSeconds: Math.round(row!.lag) };
}
