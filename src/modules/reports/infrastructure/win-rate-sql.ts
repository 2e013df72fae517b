import type { WorkspaceRef } from '../../../kernel/principal';
import type { Query } from '../../../platform/persistence/with-connection';
import type { Selection, WonAndLost } from '../application/report-reader';
import { CLOSED_AT, conditionsOn, periodOf } from './report-sql';

/** As the outcomes by `closed` count them, of the `most` that became won or lost last. */
export async function readWonAndLost(
  query: Query,
  ref: WorkspaceRef,
  selection: Selection,
  most: number,
): Promise<WonAndLost> {
  const { parameters, leads } = conditionsOn(ref, selection);
  const { within } = periodOf(parameters, selection);
  const count = (outcome: string) => `count(*) FILTER (WHERE outcome = '${outcome}')::int AS ${outcome}`;
  const text = `SELECT ${count('won')}, ${count('lost')}, count(*) = ${parameters.add(most)} AS "isPartial" FROM (
    SELECT j.outcome FROM lead_journeys j WHERE ${leads} AND ${within(CLOSED_AT)}
    ORDER BY ${CLOSED_AT} DESC LIMIT ${parameters.add(most)}) AS closed`;
  const [found] = await query<WonAndLost>({ text, values: parameters.values });
  return found!;
}
