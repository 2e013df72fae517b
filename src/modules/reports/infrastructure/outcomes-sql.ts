import { fromUuid } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Query } from '../../../platform/persistence/with-connection';
import type {
  GroupBy,
  OutcomeBasis,
  OutcomeCounts,
  OutcomeRows,
  Selection,
} from '../application/report-reader';
import {
  CELL,
  type CellRow,
  cellOf,
  CELLS,
  conditionsOn,
  groupColumn,
  FROM_PLACED,
  groupedCohort,
  IN_ORDER,
  periodOf,
} from './report-sql';

type Row = CellRow & OutcomeCounts;
type ValueRow = CellRow & { currency: string | null; amount: string | null; leads: number };
type ReasonRow = { reason: string | null; leads: number };

/** Leads count in the bucket in which they were created, or won and lost ones in that in which they became so. */
export async function readOutcomes(
  query: Query,
  ref: WorkspaceRef,
  selection: Selection,
  groupBy: GroupBy,
  basis: OutcomeBasis,
): Promise<OutcomeRows> {
  const { parameters, leads } = conditionsOn(ref, selection);
  const { within, bucket } = periodOf(parameters, selection);
  const part = (column: string, created: string, outcome: string) => `
    SELECT j.workspace_id, j.mode, j.lead_id, ${bucket(column)} AS bucket, ${groupColumn(groupBy)} AS raw, j.lost_reason_id,
      ${created} AS is_created, ${outcome} AS outcome,
      floor(extract(epoch FROM j.won_at - j.created_at))::bigint AS seconds_to_win
    FROM lead_journeys j WHERE ${leads} AND ${within(column)}`;
  const cohort =
    basis === 'created'
      ? part('j.created_at', 'true', 'j.outcome')
      : `${part('j.created_at', 'true', `CASE j.outcome WHEN 'open' THEN 'open' END`)}
         UNION ALL ${part('coalesce(j.won_at, j.lost_at)', 'false', 'j.outcome')}`;
  // Of their proposals, the accepted one counts, or else the one that was sent last.
  const decided = basis === 'created' ? within('j.created_at') : within('coalesce(j.won_at, j.lost_at)');
  const text = `WITH ${groupedCohort(cohort, groupBy)},
    valued AS MATERIALIZED (
      SELECT DISTINCT ON (p.lead_id) p.lead_id, p.currency, p.total
      FROM lead_journeys j JOIN proposals p USING (workspace_id, mode, lead_id)
      WHERE ${leads} AND ${decided} AND j.outcome = 'won' AND (p.status = 'accepted'
        OR (p.sent_at IS NOT NULL AND p.status IN ('sent', 'viewed', 'expired') AND p.archived_at IS NULL))
      ORDER BY p.lead_id, p.status = 'accepted' DESC, coalesce(p.accepted_at, p.sent_at) DESC, p.id DESC
    ),
    cells AS (
      SELECT ${CELL}, (count(*) FILTER (WHERE is_created))::int AS created,
        ${['won', 'lost', 'open'].map((outcome) => `(count(*) FILTER (WHERE outcome = '${outcome}'))::int AS ${outcome}`).join(', ')},
        percentile_disc(0.5) WITHIN GROUP (ORDER BY seconds_to_win) FILTER (WHERE outcome = 'won') AS "medianSecondsToWin"
      ${FROM_PLACED} GROUP BY ${CELLS} ${IN_ORDER}
    ),
    amounts AS (
      SELECT ${CELL}, currency, sum(total)::text AS amount, count(*)::int AS leads
      ${FROM_PLACED} LEFT JOIN valued USING (lead_id) WHERE outcome = 'won' GROUP BY ${CELLS}, currency
    ),
    reasons AS (
      SELECT lost_reason_id::text AS reason, count(*)::int AS leads ${FROM_PLACED} WHERE outcome = 'lost'
      GROUP BY lost_reason_id ORDER BY leads DESC, reason
    )
    SELECT (SELECT json_agg(cells) FROM cells) AS cells,
      coalesce((SELECT json_agg(amounts) FROM amounts), '[]') AS amounts,
      coalesce((SELECT json_agg(reasons) FROM reasons), '[]') AS reasons`;
  const [found] = await query<{ cells: Row[]; amounts: ValueRow[]; reasons: ReasonRow[] }>({
    text,
    values: parameters.values,
  });
  const { cells, amounts, reasons } = found!;
  return {
    cells: cells.map(({ bucket, place, key, ...row }) => ({
      ...cellOf({ bucket, place, key }, groupBy),
      ...row,
    })),
    values: amounts.map(({ bucket, place, key, amount, ...row }) => ({
      ...cellOf({ bucket, place, key }, groupBy),
      ...row,
      amount: Number(amount ?? 0),
    })),
    lostReasons: reasons.map(({ reason, leads }) => ({
      lostReasonId: reason === null ? null : fromUuid('reason', reason),
      leads,
    })),
  };
}
