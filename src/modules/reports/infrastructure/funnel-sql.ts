import type { WorkspaceRef } from '../../../kernel/principal';
import type { Query } from '../../../platform/persistence/with-connection';
import type { FunnelBasis, RankedStage, Selection, StageCounts } from '../application/report-reader';
import { conditionsOn, periodOf } from './report-sql';

interface Found {
  /** To no stage: the leads that are there. */
  moves: { stage: string; toStage: string | null; leads: number }[];
  lasted: { stage: string; percentiles: [number, number] | null }[];
  /** The leads that were never at a stage, and were at a later one that isn't lost. */
  skipped: { stage: string; leads: number }[];
}

/**
 * By creation, each lead that was created in the period counts once for a stage: as its last stay there ended. By entry, each
 * stay counts that began in the period.
 */
export async function readFunnel(
  query: Query,
  ref: WorkspaceRef,
  selection: Selection,
  basis: FunnelBasis,
  stages: readonly RankedStage[],
): Promise<StageCounts[]> {
  const { parameters, leads, isNarrowed } = conditionsOn(ref, selection);
  const { within, from, until } = periodOf(parameters, selection);
  const isByEntry = basis === 'entered';
  // The journey of each stay is only needed for conditions on the lead. A stay can't begin before its lead. Conditions on leads
  // cost much, so the period limits whose are looked at.
  const ofPeriod = isByEntry ? `j.created_at < ${until}` : within('j.created_at');
  const stays = `lead_stage_spells j WHERE j.workspace_id = $1 AND j.mode = $2 AND ${
    isByEntry
      ? within('j.entered_at')
      : `(j.entered_at >= ${from} OR j.entered_at IS NULL) AND ${within('j.lead_created_at')}`
  } ${isNarrowed ? `AND j.lead_id IN (SELECT lead_id FROM lead_journeys j WHERE ${leads} AND ${ofPeriod})` : ''}`;
  const onTheWay = `${parameters.add(stages.filter(({ isLost }) => !isLost).map(({ key }) => key))}::text[]`;
  const text = `WITH ended AS MATERIALIZED (
      SELECT j.stage, j.to_stage, count(*) ${isByEntry ? '' : 'FILTER (WHERE j.is_last)'} AS leads,
        array_agg(floor(date_part('epoch', j.left_at - j.entered_at))::int) FILTER (WHERE j.entered_at IS NOT NULL) AS durations
      FROM ${stays} GROUP BY 1, 2
    ),
    present AS MATERIALIZED (
      SELECT j.stage, j.visited, count(*) AS leads FROM lead_journeys j
      WHERE ${leads} AND ${within(isByEntry ? 'j.entered_at' : 'j.created_at')} GROUP BY 1, 2
    ),
    moves AS (
      SELECT stage, to_stage AS "toStage", leads FROM ended
      UNION ALL SELECT stage, NULL, sum(leads) FROM present GROUP BY stage
    ),
    lasted AS (
      SELECT stage, percentile_disc(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY seconds) AS percentiles
      FROM (SELECT stage, durations FROM ended ORDER BY stage) AS sorted, unnest(durations) AS seconds GROUP BY stage
    ),
    skipped AS (
      SELECT stage.key AS stage, sum(leads) AS leads
      FROM present CROSS JOIN unnest(${onTheWay}) WITH ORDINALITY AS stage (key, place)
      WHERE stage.key <> ALL (visited) AND visited && (${onTheWay})[stage.place + 1:]
      GROUP BY 1
    )
    SELECT ${['moves', 'lasted', 'skipped'].map((name) => `coalesce((SELECT json_agg(${name}) FROM ${name}), '[]') AS ${name}`).join(', ')}`;
  const [found] = await query<Found>({ text, values: parameters.values });
  const { moves, lasted, skipped } = found!;

  const rankOf = new Map(stages.map(({ key }, rank) => [key, rank]));
  return stages.map(({ key }, rank) => {
    const counts = { advanced: 0, wentBack: 0, lost: 0, still: 0 };
    for (const { stage, toStage: to, leads } of moves) {
      if (stage === key) counts[fateOf(stages, rank, to === null ? null : (rankOf.get(to) ?? -1))] += leads;
    }
    const { advanced, wentBack, lost, still } = counts;
    const ofStage = ({ stage }: { stage: string }) => stage === key;
    const [medianSeconds, p90Seconds] = lasted.find(ofStage)?.percentiles ?? [null, null];
    return {
      entered: advanced + wentBack + lost + still,
      ...counts,
      skipped: isByEntry ? null : (skipped.find(ofStage)?.leads ?? 0),
      medianSeconds,
      p90Seconds,
    };
  });
}

type Fate = 'advanced' | 'wentBack' | 'lost' | 'still';

function fateOf(stages: readonly RankedStage[], rank: number, toRank: number | null): Fate {
  if (toRank === null) return 'still';
  if (stages[toRank]?.isLost) return 'lost';
  return toRank > rank ? 'advanced' : 'wentBack';
}
