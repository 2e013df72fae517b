import type { QueryRunner } from 'typeorm';
import { type Id, toUuid } from '../../src/kernel/ids';

/** Small enough that a change of one of these leads hardly waits. */
const LEADS = 500;
const EVENTS = 5000;
/** Events are kept for 30 days. Those of the first day may be deleted meanwhile. */
const KNOWN_DAYS = 29;

type Key = [workspaceId: string, mode: string, id: string];

interface MoveEvent {
  workspace_id: string;
  mode: string;
  id: string;
  lead_id: string;
  from_stage: string;
  to_stage: string;
  at: Date;
}

/**
 * Adds the journeys of leads that were there before the triggers, and the stays that events of the last 30 days tell of.
 * Leads are locked in the order in which others lock them.
 */
export async function backfillStays(runner: QueryRunner): Promise<void> {
  const [{ known_since: since }] = (await runner.query(
    `SELECT clock_timestamp() - interval '${KNOWN_DAYS} days' AS known_since`,
  )) as [{ known_since: Date }];
  await collectMoves(runner);
  let last: Key | undefined;
  do last = await backfillSome(runner, since, last);
  while (last);
  await runner.query('DROP TABLE moves_before');
  await runner.query(
    'UPDATE lead_journeys_beginning SET complete_since = least(complete_since, $1::timestamptz)',
    [since],
  );
}

/** From events of changes that the triggers haven't recorded. */
async function collectMoves(runner: QueryRunner): Promise<void> {
  await runner.query('DROP TABLE IF EXISTS moves_before');
  await runner.query(`
    CREATE TEMP TABLE moves_before (
      workspace_id uuid, mode text, lead_id uuid, from_stage text, to_stage text, at timestamptz(3)
    )`);
  let last: Key | undefined;
  for (;;) {
    const events = (await runner.query(
      `SELECT workspace_id, mode, id, data->>'id' AS lead_id, previous->>'stage' AS from_stage,
         data->>'stage' AS to_stage, occurred_at AS at
       FROM events WHERE type = 'lead.stage_changed' AND number <= (SELECT after_event FROM lead_journeys_beginning)
         ${last ? 'AND (workspace_id, mode, id) > ($1::uuid, $2, $3::uuid)' : ''}
       ORDER BY workspace_id, mode, id LIMIT ${EVENTS}`,
      last,
    )) as MoveEvent[];
    const event = events.at(-1);
    if (!event) break;
    const moves = events.map(({ lead_id, ...move }) => ({ ...move, lead_id: toUuid(lead_id as Id<'lead'>) }));
    await runner.query(
      `INSERT INTO moves_before SELECT workspace_id, mode, lead_id, from_stage, to_stage, at
       FROM json_populate_recordset(NULL::moves_before, $1::json)`,
      [JSON.stringify(moves)],
    );
    last = [event.workspace_id, event.mode, event.id];
  }
  await runner.query('CREATE INDEX ON moves_before (workspace_id, mode, lead_id)');
  await runner.query('ANALYZE moves_before');
}

/** Returns the key of the last lead, or undefined when there was none. */
async function backfillSome(
  runner: QueryRunner,
  since: Date,
  after: Key | undefined,
): Promise<Key | undefined> {
  await runner.startTransaction();
  try {
    const rows = (await runner.query(
      `SELECT workspace_id, mode, id FROM leads
       ${after ? 'WHERE (workspace_id, mode, id) > ($1::uuid, $2, $3::uuid)' : ''}
       ORDER BY workspace_id, mode, id LIMIT ${LEADS} FOR NO KEY UPDATE`,
      after,
    )) as { workspace_id: string; mode: string; id: string }[];
    const last = rows.at(-1);
    if (last) {
      const keys = ['workspace_id', 'mode', 'id'].map((name) =>
        rows.map((row) => row[name as keyof typeof last]),
      );
      await runner.query(ADD_JOURNEYS, keys);
      for (const text of [ADD_STAYS, COMPLETE_STAYS, MARK_LAST, COMPLETE_JOURNEYS, CLOSE_JOURNEYS]) {
        await runner.query(text, text.includes('$4') ? [...keys, since] : keys);
      }
    }
    await runner.commitTransaction();
    return last && [last.workspace_id, last.mode, last.id];
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

const BATCH = 'unnest($1::uuid[], $2::text[], $3::uuid[]) AS batch (workspace_id, mode, lead_id)';
const SAME_LEAD = (one: string, other: string) =>
  `(${one}.workspace_id, ${one}.mode, ${one}.lead_id) = (${other}.workspace_id, ${other}.mode, ${other}.lead_id)`;

const ADD_JOURNEYS = `
  INSERT INTO lead_journeys (workspace_id, mode, lead_id, created_at, source, owner_id, lost_reason_id, is_archived,
    stage, outcome, visited, is_excluded)
  SELECT l.workspace_id, l.mode, l.id, l.created_at, l.source, l.owner_id, l.lost_reason_id, l.archived_at IS NOT NULL,
    l.stage, lead_outcome(l.stage, l.outcome), ARRAY[l.stage], false
  FROM ${BATCH} JOIN leads l ON (l.workspace_id, l.mode, l.id) = (batch.workspace_id, batch.mode, batch.lead_id)
  ON CONFLICT DO NOTHING`;

/** The times of changes of one lead differ. A stay began with the move to it, or with the lead if all its events are kept. */
const ADD_STAYS = `
  INSERT INTO lead_stage_spells
    (workspace_id, mode, lead_id, number, stage, entered_at, left_at, to_stage, lead_created_at, is_last)
  SELECT workspace_id, mode, lead_id, place - count, from_stage,
    CASE WHEN place = 0 AND created_at >= $4::timestamptz THEN created_at WHEN came_to = from_stage THEN came_at END,
    at, to_stage, created_at, false
  FROM (
    SELECT m.*, j.created_at, (row_number() OVER moves - 1)::int AS place, (count(*) OVER lead)::int AS count,
      lag(m.to_stage) OVER moves AS came_to, lag(m.at) OVER moves AS came_at
    FROM ${BATCH} JOIN moves_before m USING (workspace_id, mode, lead_id) JOIN lead_journeys j USING (workspace_id, mode, lead_id)
    WINDOW lead AS (PARTITION BY workspace_id, mode, lead_id), moves AS (lead ORDER BY m.at)
  ) AS placed
  ON CONFLICT DO NOTHING`;

/** When the stay began that lasted when the triggers began. Its number is 0, whether it has ended since or not. */
const ENTERED = `
  SELECT j.workspace_id, j.mode, j.lead_id,
    CASE WHEN before.to_stage = coalesce(first.stage, j.stage) THEN before.left_at
      WHEN before.to_stage IS NULL AND j.created_at >= $4::timestamptz THEN j.created_at END AS entered_at
  FROM ${BATCH} JOIN lead_journeys j USING (workspace_id, mode, lead_id)
  LEFT JOIN lead_stage_spells first ON ${SAME_LEAD('first', 'j')} AND first.number = 0
  LEFT JOIN lead_stage_spells before ON ${SAME_LEAD('before', 'j')} AND before.number = -1`;

const COMPLETE_STAYS = `
  UPDATE lead_stage_spells s SET entered_at = known.entered_at
  FROM (${ENTERED}) AS known WHERE ${SAME_LEAD('s', 'known')} AND s.number = 0 AND s.entered_at IS NULL`;

const MARK_LAST = `
  UPDATE lead_stage_spells s SET is_last = s.stage <> j.stage AND NOT EXISTS (
    SELECT FROM lead_stage_spells other
    WHERE ${SAME_LEAD('other', 's')} AND other.stage = s.stage AND other.number > s.number
  )
  FROM ${BATCH} JOIN lead_journeys j USING (workspace_id, mode, lead_id) WHERE ${SAME_LEAD('s', 'j')}`;

const COMPLETE_JOURNEYS = `
  UPDATE lead_journeys j SET
    entered_at = CASE WHEN j.stay = 0 THEN coalesce(j.entered_at, known.entered_at) ELSE j.entered_at END,
    visited = j.visited || ARRAY(
      SELECT DISTINCT s.stage FROM lead_stage_spells s WHERE ${SAME_LEAD('s', 'j')} AND s.stage <> ALL (j.visited)
    ),
    is_excluded = j.is_excluded OR (j.created_at >= $4::timestamptz AND NOT begins_journey(
      j.workspace_id, j.mode,
      coalesce((SELECT s.stage FROM lead_stage_spells s WHERE ${SAME_LEAD('s', 'j')} ORDER BY number LIMIT 1), j.stage)
    ))
  FROM (${ENTERED}) AS known WHERE ${SAME_LEAD('j', 'known')}`;

/** A lead closed when it left the last stage of another outcome, or when it was created. */
const CLOSE_JOURNEYS = `
  UPDATE lead_journeys j SET won_at = CASE j.outcome WHEN 'won' THEN closed.at END,
    lost_at = CASE j.outcome WHEN 'lost' THEN closed.at END
  FROM (
    SELECT j.workspace_id, j.mode, j.lead_id,
      CASE WHEN other.left_at IS NOT NULL THEN CASE other.to_outcome WHEN j.outcome THEN other.left_at END
        WHEN j.created_at >= $4::timestamptz THEN j.created_at END AS at
    FROM ${BATCH} JOIN lead_journeys j USING (workspace_id, mode, lead_id)
    LEFT JOIN LATERAL (
      SELECT s.left_at, coalesce(next.outcome, lead_outcome(s.to_stage, NULL)) AS to_outcome
      FROM lead_stage_spells s
      LEFT JOIN stages st ON (st.workspace_id, st.mode, st.key) = (s.workspace_id, s.mode, s.stage)
      LEFT JOIN stages next ON (next.workspace_id, next.mode, next.key) = (s.workspace_id, s.mode, s.to_stage)
      WHERE ${SAME_LEAD('s', 'j')} AND coalesce(st.outcome, lead_outcome(s.stage, NULL)) <> j.outcome
      ORDER BY s.number DESC LIMIT 1
    ) AS other ON true
    WHERE j.outcome <> 'open' AND coalesce(j.won_at, j.lost_at) IS NULL
  ) AS closed WHERE ${SAME_LEAD('j', 'closed')}`;
