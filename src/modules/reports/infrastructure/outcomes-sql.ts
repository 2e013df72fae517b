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
  CLOSED_AT,
  conditionsOn,
  FROM_PLACED,
  groupColumn,
  IN_ORDER,
  percentilesOf,
  periodOf,
  placedTallies,
} from './report-sql';

type Row = CellRow & OutcomeCounts;
type ValueRow = CellRow & { currency: string | null; amount: string | null; leads: number };
type ReasonRow = { reason: string | null; leads: number };

const having = (outcome: string) => `count(*) FILTER (WHERE j.outcome = '${outcome}')`;
const CREATED = `count(*) AS created, ${having('open')} AS open`;
const NOT_CREATED = '0 AS created, 0 AS open';
const DECIDED = {
  by: 'j.lost_reason_id, value.currency',
  counts: `${having('won')} AS won, ${having('lost')} AS lost, sum(value.total) AS amount,
    array_agg(floor(date_part('epoch', j.won_at - j.created_at))::int)
      FILTER (WHERE j.outcome = 'won' AND j.won_at IS NOT NULL) AS durations`,
};
const NOT_DECIDED = {
  by: 'NULL::uuid AS lost_reason_id, NULL::text AS currency',
  counts: '0 AS won, 0 AS lost, NULL::numeric AS amount, NULL::int[] AS durations',
};

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
  // Of the proposals of a won lead, the accepted one counts, or else the one that was sent last. Joined once for all leads,
  // since the search for those of each lead takes longer in a long period.
  const value = (column: string) => `
    LEFT JOIN (
      SELECT DISTINCT ON (p.lead_id) p.lead_id, p.currency, p.total
      FROM lead_journeys j JOIN proposals p USING (workspace_id, mode, lead_id)
      WHERE ${leads} AND ${within(column)} AND j.outcome = 'won' AND (p.status = 'accepted'
        OR (p.sent_at IS NOT NULL AND p.status IN ('sent', 'viewed', 'expired') AND p.archived_at IS NULL))
      ORDER BY p.lead_id, p.status = 'accepted' DESC, coalesce(p.accepted_at, p.sent_at) DESC, p.id DESC
    ) AS value ON value.lead_id = j.lead_id`;
  const tallied = (column: string, created: string, decided: typeof DECIDED) => `
    SELECT ${bucket(column)} AS bucket, ${groupColumn(groupBy)} AS raw, ${decided.by}, count(*) AS leads,
      ${created}, ${decided.counts}
    FROM lead_journeys j ${decided === DECIDED ? value(column) : ''}
    WHERE ${leads} AND ${within(column)} GROUP BY 1, 2, 3, 4`;
  const all =
    basis === 'created'
      ? tallied('j.created_at', CREATED, DECIDED)
      : `${tallied('j.created_at', CREATED, NOT_DECIDED)}
         UNION ALL ${tallied(CLOSED_AT, NOT_CREATED, DECIDED)}`;
  const counts = ['created', 'won', 'lost', 'open'].map(
    (name) => `coalesce(sum(${name}), 0)::int AS ${name}`,
  );
  const text = `WITH ${placedTallies(all, groupBy)},
    cells AS (SELECT ${CELL}, ${counts.join(', ')} ${FROM_PLACED} GROUP BY ${CELLS}),
    timed AS (
      SELECT cells.*, percentiles[1] AS "medianSecondsToWin"
      FROM cells LEFT JOIN (${percentilesOf('ARRAY[0.5]')}) AS lasted USING (bucket, place) ${IN_ORDER}
    ),
    amounts AS (
      SELECT ${CELL}, currency, sum(amount)::text AS amount, sum(won)::int AS leads
      ${FROM_PLACED} WHERE won > 0 GROUP BY ${CELLS}, currency
    ),
    reasons AS (
      SELECT lost_reason_id::text AS reason, sum(lost)::int AS leads ${FROM_PLACED} WHERE lost > 0
      GROUP BY lost_reason_id ORDER BY leads DESC, reason
    )
    SELECT (SELECT json_agg(timed) FROM timed) AS cells,
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
