import type { WorkspaceRef } from '../../../kernel/principal';
import type { Query } from '../../../platform/persistence/with-connection';
import type { FunnelBasis, RankedStage, Selection, StageCounts } from '../application/report-reader';
import { conditionsOn, periodOf } from './report-sql';

interface Moves {
  stage: string;
  /** Null: the leads that are there. */
  to_stage: string | null;
  leads: number;
}

interface Durations {
  stage: string;
  percentiles: [number, number] | null;
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
  const { within, from } = periodOf(parameters, selection);
  const isByEntry = basis === 'entered';
  // The journey of each stay is only needed for conditions on the lead. A stay can't begin before its lead.
  const stays = `FROM lead_stage_spells j WHERE j.workspace_id = $1 AND j.mode = $2 AND ${
    isByEntry
      ? within('j.entered_at')
      : `(j.entered_at >= ${from} OR j.entered_at IS NULL) AND ${within('j.lead_created_at')}`
  } ${isNarrowed ? `AND j.lead_id IN (SELECT lead_id FROM lead_journeys j WHERE ${leads})` : ''}`;
  const present = `FROM lead_journeys j WHERE ${leads} AND ${within(isByEntry ? 'j.entered_at' : 'j.created_at')}`;
  const { values } = parameters;

  const moves = await query<Moves>({
    text: `SELECT j.stage, j.to_stage, count(*)::int AS leads ${stays} ${isByEntry ? '' : 'AND j.is_last'} GROUP BY 1, 2
      UNION ALL SELECT j.stage, NULL, count(*)::int ${present} GROUP BY 1`,
    values,
  });
  const durations = await query<Durations>({
    text: `SELECT j.stage, percentile_disc(ARRAY[0.5, 0.9]) WITHIN GROUP (
        ORDER BY floor(extract(epoch FROM j.left_at - j.entered_at))::int
      ) FILTER (WHERE j.entered_at IS NOT NULL) AS percentiles ${stays} GROUP BY 1`,
    values,
  });
  const skipped = isByEntry ? undefined : await readSkipped(query, present, values, stages);

  const rankOf = new Map(stages.map(({ key }, rank) => [key, rank]));
  return stages.map(({ key }, rank) => {
    const counts = { advanced: 0, wentBack: 0, lost: 0, still: 0 };
    for (const { stage, to_stage: to, leads } of moves) {
      if (stage === key) counts[fateOf(stages, rank, to === null ? null : (rankOf.get(to) ?? -1))] += leads;
    }
    const { advanced, wentBack, lost, still } = counts;
    const percentiles = durations.find(({ stage }) => stage === key)?.percentiles;
    return {
      entered: advanced + wentBack + lost + still,
      ...counts,
      skipped: skipped ? skipped[rank]! : null,
      medianSeconds: percentiles?.[0] ?? null,
      p90Seconds: percentiles?.[1] ?? null,
    };
  });
}

type Fate = 'advanced' | 'wentBack' | 'lost' | 'still';

function fateOf(stages: readonly RankedStage[], rank: number, toRank: number | null): Fate {
  if (toRank === null) return 'still';
  if (stages[toRank]?.isLost) return 'lost';
  return toRank > rank ? 'advanced' : 'wentBack';
}

/** The leads that were never at a stage, and were at a later one that isn't lost. */
async function readSkipped(
  query: Query,
  present: string,
  values: readonly unknown[],
  stages: readonly RankedStage[],
): Promise<number[]> {
  const onTheWay = stages.filter(({ isLost }) => !isLost).map(({ key }) => key);
  const place = `$${values.length + 1}::text[]`;
  const rows = await query<{ place: number; leads: number }>({
    text: `SELECT stage.place::int, sum(leads)::int AS leads
      FROM (SELECT j.visited, count(*) AS leads ${present} GROUP BY 1) AS ways
      CROSS JOIN unnest(${place}) WITH ORDINALITY AS stage (key, place)
      WHERE stage.key <> ALL (visited) AND visited && (${place})[stage.place + 1:]
      GROUP BY 1`,
    values: [...values, onTheWay],
  });
  const found = new Map(rows.map(({ place, leads }) => [place - 1, leads]));
  return stages.map((_, rank) => found.get(rank) ?? 0);
}
