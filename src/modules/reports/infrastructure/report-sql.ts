import { fromUuid, toUuid } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Parameters } from '../../../platform/persistence/parameters';
import {
  type Cell,
  type GroupBy,
  type LeadsOf,
  MAX_GROUPS,
  type Selection,
} from '../application/report-reader';

/** What rows are grouped by. */
const GROUP_COLUMNS: Record<GroupBy, string> = {
  none: 'NULL::text',
  source: 'j.source',
  owner: 'j.owner_id::text',
  lostReason: 'j.lost_reason_id::text',
};

/** How long a lead waited for its first response. None for an answer before it, such as a call before it was entered. */
export const RESPONSE_SECONDS =
  'greatest(0, floor(extract(epoch FROM j.responded_at - coalesce(j.started_at, j.created_at))))::int';

export interface Conditions {
  readonly parameters: Parameters;
  /** On a lead's journey, `j`. */
  readonly leads: string;
  readonly isNarrowed: boolean;
}

export function conditionsOn(ref: WorkspaceRef, { source, ownerId, tag }: LeadsOf): Conditions {
  const parameters = new Parameters();
  const [workspace, mode] = [parameters.add(toUuid(ref.workspaceId)), parameters.add(ref.mode)];
  const narrowing = [
    ...parameters.when(source, (text) => `fold_text(j.source) = fold_text(${text})`),
    ...(ownerId === null ? ['j.owner_id IS NULL'] : []),
    ...parameters.when(ownerId ? toUuid(ownerId) : undefined, (id) => `j.owner_id = ${id}::uuid`),
    ...parameters.when(
      tag,
      (text) => `EXISTS (
        SELECT FROM leads l WHERE (l.workspace_id, l.mode, l.id) = (j.workspace_id, j.mode, j.lead_id)
          AND fold_texts(l.tags) @> ARRAY[fold_text(${text})])`,
    ),
  ];
  const leads = [`j.workspace_id = ${workspace}`, `j.mode = ${mode}`, ...narrowing].join(' AND ');
  return { parameters, leads, isNarrowed: narrowing.length > 0 };
}

/** The instants of a selection: its buckets, and a condition that a column is within them. */
export function periodOf(parameters: Parameters, { bounds }: Selection) {
  const from = `${parameters.add(bounds[0])}::timestamptz`;
  let added: string | undefined;
  const starts = () => (added ??= `${parameters.add(bounds.slice(0, -1))}::timestamptz[]`);
  const until = `${parameters.add(bounds.at(-1))}::timestamptz`;
  return {
    within: (column: string) => `${column} >= ${from} AND ${column} < ${until}`,
    bucket: (column: string) => `width_bucket(${column}, ${starts()}) - 1`,
    from,
  };
}

export const groupColumn = (groupBy: GroupBy) => GROUP_COLUMNS[groupBy];

/**
 * Queries that give each row of `cohort` its group by `raw`: 0 without a value, 1 to 100 by size, 101 for all others. Sources
 * that differ in case alone are one group.
 */
export function groupedCohort(cohort: string, groupBy: GroupBy): string {
  const folded = groupBy === 'source' ? 'fold_text(raw)' : 'raw';
  return `
    cohort AS MATERIALIZED (${cohort}),
    names AS (SELECT raw, ${folded} AS folded, count(*) AS leads FROM cohort WHERE raw IS NOT NULL GROUP BY raw),
    sized AS (
      SELECT raw, min(raw COLLATE "C") OVER same AS key, sum(leads) OVER same AS leads FROM names
      WINDOW same AS (PARTITION BY folded)
    ),
    ranked AS MATERIALIZED (
      SELECT raw, key, dense_rank() OVER (ORDER BY leads DESC, key) AS place FROM sized
    ),
    placed AS (
      SELECT cohort.*, (CASE WHEN place IS NULL THEN 0 ELSE least(place, ${MAX_GROUPS + 1}) END)::int AS place, key
      FROM cohort LEFT JOIN ranked USING (raw)
    )`;
}

/** The rows of `groupedCohort`. */
export const FROM_PLACED = 'FROM placed';

/** The columns of a cell, for a query of `placed` that is grouped by `CELLS`. */
export const CELL = `CASE WHEN GROUPING(bucket) = 0 THEN bucket END AS bucket, place,
  CASE WHEN place BETWEEN 1 AND ${MAX_GROUPS} THEN min(key) END AS key`;
export const CELLS = 'GROUPING SETS ((), (bucket, place))';
/** The largest group first, and that without a value last. */
export const IN_ORDER = 'ORDER BY place = 0, place';

export interface CellRow {
  bucket: number | null;
  place: number | null;
  key: string | null;
}

/** Owners and reasons are shown by their ids. */
export function cellOf({ bucket, place, key }: CellRow, groupBy: GroupBy): Cell {
  const prefix = { owner: 'user', lostReason: 'reason', source: undefined, none: undefined }[groupBy];
  return {
    bucket,
    key: key !== null && prefix ? fromUuid(prefix, key) : key,
    isOther: place === MAX_GROUPS + 1,
  };
}
