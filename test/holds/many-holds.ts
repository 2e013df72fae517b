import { toUuid } from '../../src/kernel/ids';
import { onConnection } from '../support/sql';

/** So few that PostgreSQL checks their foreign keys fast before it knows the tables. */
const FIRST = 500;

/**
 * Copies the one hold of its queue, with its calendar event and claim, until there are so many: four on each day from its
 * own, in one space. Each expires somewhat later than the one before.
 */
export async function multiply(
  databaseUrl: string,
  holdId: string,
  { count, laterMs = 0 }: { count: number; laterMs?: number },
): Promise<void> {
  await onConnection(databaseUrl, async (connection) => {
    for (const [from, to] of [
      [2, Math.min(FIRST, count)],
      [FIRST + 1, count],
    ]) {
      await connection.query(COPY, [toUuid(holdId as never), from, to, laterMs]);
      await connection.query('ANALYZE calendar_events, holds, hold_claims');
    }
  });
}

const COPY = `
  WITH base AS MATERIALIZED (SELECT * FROM holds WHERE id = $1),
    copies AS MATERIALIZED (
      SELECT n, gen_random_uuid() AS hold_id, gen_random_uuid() AS event_id, n / 4 * interval '1 day' AS later,
        n * $4::float8 * interval '1 millisecond' AS delay
      FROM generate_series($2::int, $3::int) AS n
    ), planned AS (
      INSERT INTO calendar_events (workspace_id, mode, id, type, title, starts_at, ends_at, time_zone, space_ids, status,
        sequence, created_at, updated_at)
      SELECT workspace_id, mode, event_id, 'hold', title, starts_at + later, ends_at + later, time_zone, space_ids,
        'confirmed', 0, created_at, updated_at
      FROM base, copies
    ), placed AS (
      INSERT INTO holds (workspace_id, mode, id, position, title, space_ids, starts_at, ends_at, time_zone, status,
        expires_at, next_at, calendar_event_id, placed_at, created_at, updated_at, revision)
      SELECT workspace_id, mode, hold_id, position + n, title, space_ids, starts_at + later, ends_at + later, time_zone,
        'active', expires_at + delay, next_at + delay, event_id, placed_at, created_at, updated_at, 1
      FROM base, copies
    ), counted AS (
      UPDATE hold_queues q SET last_position = base.position + $3 FROM base
      WHERE (q.workspace_id, q.mode) = (base.workspace_id, base.mode)
    )
    INSERT INTO hold_claims (workspace_id, mode, hold_id, space_id, period)
    SELECT workspace_id, mode, copies.hold_id, space_id, tstzrange(lower(period) + later, upper(period) + later)
    FROM hold_claims AS claim, copies WHERE claim.hold_id = $1`;
