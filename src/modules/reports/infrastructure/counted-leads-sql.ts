import { fromUuid, toUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { readSlice } from '../../../platform/persistence/keyset';
import type { Query } from '../../../platform/persistence/with-connection';
import type { CountedBy, CountedLead, Selection } from '../application/report-reader';
import { CLOSED_AT, conditionsOn, periodOf, RESPONSE_SECONDS } from './report-sql';

interface Row {
  id: string;
  name: string | null;
  email: string;
  stage: string;
  source: string | null;
  created_at: Date;
  lost_at: Date | null;
}

const RESPONSE_CONDITIONS = {
  excluded: 'j.is_excluded',
  answered: 'NOT j.is_excluded AND j.responded_at IS NOT NULL',
  waiting: 'NOT j.is_excluded AND j.responded_at IS NULL',
};

/** The leads that a number of a report counts, by the conditions that the report counts them by. */
export function readCounted(
  query: Query,
  ref: WorkspaceRef,
  selection: Selection,
  { by, stage, response, withinMinutes, hasNoSource, lostReasonId }: CountedBy,
  request: PageRequest,
): Promise<Slice<CountedLead>> {
  const { parameters, leads } = conditionsOn(ref, selection);
  const { within } = periodOf(parameters, selection);
  // That of won leads is there too, so that the index of closed ones is of use.
  const lost = `${within(CLOSED_AT)} AND j.outcome = 'lost'`;
  const conditions = [
    leads,
    by === 'lost' ? lost : within('j.created_at'),
    ...parameters.when(stage, (key) => `${key} = ANY (j.visited)`),
    ...(response ? [RESPONSE_CONDITIONS[response]] : []),
    ...parameters.when(
      withinMinutes,
      (minutes) => `${RESPONSE_CONDITIONS.answered} AND ${RESPONSE_SECONDS} <= ${minutes}::int * 60`,
    ),
    ...(hasNoSource ? ['j.source IS NULL'] : []),
    ...(lostReasonId === null ? ['j.lost_reason_id IS NULL'] : []),
    ...parameters.when(
      lostReasonId ? toUuid(lostReasonId) : undefined,
      (id) => `j.lost_reason_id = ${id}::uuid`,
    ),
  ];
  return readSlice<Row, CountedLead>(
    { sql: (text, values) => query({ text, values }) },
    {
      columns: 'id, name, email, stage, source, created_at, lost_at',
      from: `(
        SELECT j.*, j.lead_id AS id, l.name, l.email FROM lead_journeys j
        JOIN leads l ON (l.workspace_id, l.mode, l.id) = (j.workspace_id, j.mode, j.lead_id)) AS j`,
      conditions,
      parameters,
      sort: { column: by === 'lost' ? 'lost_at' : 'created_at', type: 'timestamptz', nullable: false },
      request: { ...request, isUncounted: true },
    },
    ({ id, name, email, stage, source, created_at, lost_at }) => ({
      ...{ leadId: fromUuid('lead', id), name, email, stage, source },
      ...{ createdAt: created_at, lostAt: lost_at },
    }),
  );
}
