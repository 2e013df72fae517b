import { fromUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { readSlice } from '../../../platform/persistence/keyset';
import type { Query } from '../../../platform/persistence/with-connection';
import type { LeadsOf, WaitingLead } from '../application/report-reader';
import { conditionsOn } from './report-sql';

interface Row {
  id: string;
  awaiting_since: Date;
  stage: string;
  source: string | null;
  owner_id: string | null;
}

/** The leads that wait for an answer, but for archived ones. */
export function readWaiting(
  query: Query,
  ref: WorkspaceRef,
  leads: LeadsOf,
  request: PageRequest,
): Promise<Slice<WaitingLead>> {
  const { parameters, leads: conditions } = conditionsOn(ref, leads);
  return readSlice<Row, WaitingLead>(
    { sql: (text, values) => query({ text, values }) },
    {
      columns: 'id, awaiting_since, stage, source, owner_id',
      from: '(SELECT *, lead_id AS id FROM lead_journeys) AS j',
      conditions: [conditions, 'j.awaiting_since IS NOT NULL', 'NOT j.is_archived'],
      parameters,
      sort: { column: 'awaiting_since', type: 'timestamptz', nullable: false },
      // Counting all would take longer than reading a page.
      request: { ...request, isUncounted: true },
    },
    ({ id, awaiting_since, stage, source, owner_id }) => ({
      leadId: fromUuid('lead', id),
      awaitingReplySince: awaiting_since,
      stage,
      source,
      ownerId: owner_id === null ? null : fromUuid('user', owner_id),
    }),
  );
}
