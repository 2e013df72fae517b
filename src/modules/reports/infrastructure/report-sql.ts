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
export const RESPONSE_SECONDS = `greatest(0, floor(date_part('epoch', j.responded_at - coalesce(j.started_at, j.created_at))))::int`;

/** When a lead was won or lost, as its index has it. */
export const CLOSED_AT = 'coalesce(j.won_at, j.lost_at)';

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
    until,
  };
}

export const groupColumn = (groupBy: GroupBy) => GROUP_COLUMNS[groupBy];

/**
 * Queries that give each row of `tallied`, which counts `leads` by `bucket` and `raw`, its group: 0 without a value, 1 to 100 by
 * size, 101 for all others. Sources that differ in case alone are one group.
 */
export function placedTallies(tallied: string, groupBy: GroupBy): string {
  const folded = groupBy === 'source' ? 'fold_text(raw)' : 'raw';
  return `
    tallied AS MATERIALIZED (${tallied}),
    names AS (SELECT raw, ${folded} AS folded, sum(leads) AS leads FROM tallied WHERE raw IS NOT NULL GROUP BY raw),
    sized AS (
      SELECT raw, min(raw COLLATE "C") OVER same AS key, sum(leads) OVER same AS leads FROM names
      WINDOW same AS (PARTITION BY folded)
    ),
    ranked AS MATERIALIZED (
      SELECT raw, key, dense_rank() OVER (ORDER BY leads DESC, key) AS place FROM sized
    ),
    placed AS MATERIALIZED (
      SELECT tallied.*, (CASE WHEN place IS NULL THEN 0 ELSE least(place, ${MAX_GROUPS + 1}) END)::int AS place, key
      FROM tallied LEFT JOIN ranked USING (raw)
    )`;
}

/** The rows of `placedTallies`. */
export const FROM_PLACED = 'FROM placed';

/** Stands for the bucket and the group of the whole period. */
const WHOLE = -1;
/** The columns of a cell, for a query of `placed` that is grouped by `CELLS`. */
export const CELL = `coalesce(bucket, ${WHOLE}) AS bucket, coalesce(place, ${WHOLE}) AS place,
  CASE WHEN place BETWEEN 1 AND ${MAX_GROUPS} THEN min(key) END AS key`;
export const CELLS = 'GROUPING SETS ((), (bucket, place))';
/** The largest group first, and that without a value last. */
export const IN_ORDER = 'ORDER BY place = 0, place';

/**
 * A query of percentiles of `durations`, arrays of `placed`, for each cell. Arrays of few rows are sorted by cell faster than
 * all their values are.
 */
export const percentilesOf = (parts: string) => `
  SELECT coalesce(bucket, ${WHOLE}) AS bucket, coalesce(place, ${WHOLE}) AS place,
    percentile_disc(${parts}) WITHIN GROUP (ORDER BY seconds) AS percentiles
  FROM (SELECT bucket, place, durations FROM placed ORDER BY bucket, place) AS sorted, unnest(durations) AS seconds
  GROUP BY ${CELLS}`;

export interface CellRow {
  bucket: number;
  place: number;
  key: string | null;
}

/** Owners and reasons are shown by their ids. */
export function cellOf({ bucket, place, key }: CellRow, groupBy: GroupBy): Cell {
  const prefix = { owner: 'user', lostReason: 'reason', source: undefined, none: undefined }[groupBy];
  return {
    bucket: bucket === WHOLE ? null : bucket,
    key: key !== null && prefix ? fromUuid(prefix, key) : key,
    isOther: place === MAX_GROUPS + 1,
  };
}
