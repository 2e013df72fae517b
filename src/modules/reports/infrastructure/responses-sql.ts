import type { WorkspaceRef } from '../../../kernel/principal';
import type { Query } from '../../../platform/persistence/with-connection';
import type { Cell, GroupBy, ResponseCounts, Selection } from '../application/report-reader';
import {
  CELL,
  type CellRow,
  cellOf,
  CELLS,
  conditionsOn,
  FROM_PLACED,
  groupColumn,
  IN_ORDER,
  percentilesOf,
  periodOf,
  placedTallies,
  RESPONSE_SECONDS,
} from './report-sql';

const WITHIN: [name: keyof ResponseCounts, seconds: number][] = [
  ['within5Minutes', 300],
  ['within15Minutes', 900],
  ['within1Hour', 3600],
  ['within4Hours', 14_400],
  ['within24Hours', 86_400],
];

type Row = CellRow & ResponseCounts & { percentiles: [number, number] | null };

/** Leads count in the bucket in which they were created. */
export async function readResponses(
  query: Query,
  ref: WorkspaceRef,
  selection: Selection,
  groupBy: GroupBy,
  targetMinutes: number | null,
): Promise<(Cell & ResponseCounts)[]> {
  const { parameters, leads } = conditionsOn(ref, selection);
  const { within, bucket } = periodOf(parameters, selection);
  const target = `${parameters.add(targetMinutes)}::int`;
  const counts: [name: keyof ResponseCounts, count: string][] = [
    ['leads', 'count(*)'],
    ['excluded', 'count(*) FILTER (WHERE is_excluded)'],
    ['answered', 'count(seconds)'],
    ['waiting', 'count(*) FILTER (WHERE NOT is_excluded AND seconds IS NULL)'],
    ...WITHIN.map(([name, seconds]): (typeof counts)[number] => [
      name,
      `count(*) FILTER (WHERE seconds <= ${seconds})`,
    ]),
    ['withinTarget', `count(*) FILTER (WHERE seconds <= ${target} * 60)`],
  ];
  const tallied = `
    SELECT bucket, raw, ${counts.map(([name, count]) => `${count} AS "${name}"`).join(', ')},
      array_agg(seconds) FILTER (WHERE seconds IS NOT NULL) AS durations
    FROM (
      SELECT ${bucket('j.created_at')} AS bucket, ${groupColumn(groupBy)} AS raw, j.is_excluded,
        CASE WHEN NOT j.is_excluded AND j.responded_at IS NOT NULL THEN ${RESPONSE_SECONDS} END AS seconds
      FROM lead_journeys j WHERE ${leads} AND ${within('j.created_at')}
    ) AS counted GROUP BY bucket, raw`;
  const text = `WITH ${placedTallies(tallied, groupBy)},
    cells AS (
      SELECT ${CELL}, ${counts.map(([name]) => `coalesce(sum("${name}"), 0)::int AS "${name}"`).join(', ')}
      ${FROM_PLACED} GROUP BY ${CELLS}
    )
    SELECT * FROM cells LEFT JOIN (${percentilesOf('ARRAY[0.5, 0.9]')}) AS timed USING (bucket, place) ${IN_ORDER}`;
  const rows = await query<Row>({ text, values: parameters.values });
  return rows.map(({ bucket, place, key, percentiles, ...row }) => {
    const [medianSeconds, p90Seconds] = percentiles ?? [null, null];
    const withinTarget = targetMinutes === null ? null : row.withinTarget;
    return { ...cellOf({ bucket, place, key }, groupBy), ...row, medianSeconds, p90Seconds, withinTarget };
  });
}
