/** The columns of a journey that follow from a lead alone. */
export const COPIED = `created_at, source, owner_id, lost_reason_id, is_archived, stage, outcome`;
export const copiedFrom = (lead: string) =>
  `${lead}.created_at, ${lead}.source, ${lead}.owner_id, ${lead}.lost_reason_id, ${lead}.archived_at IS NOT NULL, ${lead}.stage, lead_outcome(${lead}.stage, ${lead}.outcome)`;

/** The function of the trigger that begins the journeys of new leads. @param waits whether they wait for an answer */
export function recordLeadInsert(waits: boolean): string {
  const outcome = 'lead_outcome(came.stage, came.outcome)';
  const isExcluded = `(coalesce(current_setting('gala.cause', true) = 'import', false)
    OR NOT begins_journey(came.workspace_id, came.mode, came.stage))`;
  return `CREATE OR REPLACE FUNCTION record_lead_insert() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO lead_journeys (workspace_id, mode, lead_id, ${COPIED}, entered_at, visited, won_at, lost_at,
        is_excluded${waits ? ', awaiting_since' : ''})
      SELECT came.workspace_id, came.mode, came.id, ${copiedFrom('came')}, came.created_at, ARRAY[came.stage],
        CASE ${outcome} WHEN 'won' THEN came.created_at END, CASE ${outcome} WHEN 'lost' THEN came.created_at END,
        is_excluded${waits ? ', CASE WHEN NOT is_excluded THEN came.created_at END' : ''}
      FROM came CROSS JOIN LATERAL (SELECT ${isExcluded} AS is_excluded) AS begun
      ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $$`;
}
