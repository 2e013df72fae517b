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

/** The value of a won lead: its accepted proposal, or else the one that was sent last. */
const VALUE = `
  SELECT p.currency, p.total FROM proposals p
  WHERE (p.workspace_id, p.mode, p.lead_id) = (placed.workspace_id, placed.mode, placed.lead_id)
    AND (p.status = 'accepted' OR (p.sent_at IS NOT NULL AND p.status IN ('sent', 'viewed', 'expired') AND p.archived_at IS NULL))
  ORDER BY p.status = 'accepted' DESC, coalesce(p.accepted_at, p.sent_at) DESC, p.id DESC LIMIT 1`;

type Row = CellRow & OutcomeCounts;
type ValueRow = CellRow & { currency: string | null; amount: string | null; leads: number };

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
    SELECT j.workspace_id, j.mode, j.lead_id, ${bucket(column)} AS bucket, ${groupColumn(groupBy)} AS raw,
      ${created} AS is_created, ${outcome} AS outcome,
      floor(extract(epoch FROM j.won_at - j.created_at))::bigint AS seconds_to_win
    FROM lead_journeys j WHERE ${leads} AND ${within(column)}`;
  const cohort =
    basis === 'created'
      ? part('j.created_at', 'true', 'j.outcome')
      : `${part('j.created_at', 'true', `CASE j.outcome WHEN 'open' THEN 'open' END`)}
         UNION ALL ${part('coalesce(j.won_at, j.lost_at)', 'false', 'j.outcome')}`;
  const grouped = groupedCohort(cohort, groupBy);
  const text = `WITH ${grouped}
    SELECT ${CELL}, (count(*) FILTER (WHERE is_created))::int AS created,
      ${['won', 'lost', 'open'].map((outcome) => `(count(*) FILTER (WHERE outcome = '${outcome}'))::int AS ${outcome}`).join(', ')},
      (percentile_disc(0.5) WITHIN GROUP (ORDER BY seconds_to_win) FILTER (WHERE outcome = 'won'))::float8 AS "medianSecondsToWin"
    ${FROM_PLACED} GROUP BY ${CELLS} ${IN_ORDER}`;
  const valueText = `WITH ${grouped}
    SELECT ${CELL}, currency, sum(total)::text AS amount, count(*)::int AS leads
    ${FROM_PLACED} LEFT JOIN LATERAL (${VALUE}) AS value ON true
    WHERE outcome = 'won' GROUP BY ${CELLS}, currency`;
  const cells = await query<Row>({ text, values: parameters.values });
  const values = await query<ValueRow>({ text: valueText, values: parameters.values });
  return {
    cells: cells.map(({ bucket, place, key, ...row }) => ({
      ...cellOf({ bucket, place, key }, groupBy),
      ...row,
    })),
    values: values.map(({ bucket, place, key, amount, ...row }) => ({
      ...cellOf({ bucket, place, key }, groupBy),
      ...row,
      amount: Number(amount ?? 0),
    })),
  };
}
