import type { DomainEvent } from '../../../kernel/domain-event';
import { type LeadId, type LostReasonId, fromUuid, toUuid } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { TimelineActor } from '../../../kernel/timeline';
import type { Database } from '../../../platform/persistence/database';
import type { Statement } from '../../../platform/persistence/statement';
import { workspaceKey } from '../../../platform/persistence/workspace-key';
import type { LeadView } from '../domain/lead';
import type { StageKey } from '../domain/stage';

/** A change of a lead's stage. */
export interface StageChange {
  readonly at: Date;
  /** Orders the changes of one moment; a decimal integer. */
  readonly number: string;
  readonly from: StageKey;
  readonly to: StageKey;
  /** Of a lead that became lost, or was until then. */
  readonly lostReasonId: LostReasonId | null;
  readonly lostNote: string | null;
  /** Null when nobody of the workspace acted. */
  readonly actor: TimelineActor | null;
}

type Actor = TimelineActor | null;

/** The statement that records the change of stage among the events of a lead's change, if there is one. */
export function recordOf(
  ref: WorkspaceRef,
  events: readonly DomainEvent[],
  actor: Actor,
): Statement | undefined {
  const row = rowOf(ref, events, actor);
  if (!row) return undefined;
  const columns = Object.keys(row);
  return {
    text: `INSERT INTO lead_stage_changes (${columns.join(', ')}) VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    values: Object.values(row),
  };
}

/** The same for many changes, each with its events. */
export function recordsOf(
  ref: WorkspaceRef,
  changes: readonly (readonly DomainEvent[])[],
  actor: Actor,
): Statement[] {
  const rows = changes.flatMap((events) => rowOf(ref, events, actor) ?? []);
  if (rows.length === 0) return [];
  const columns = Object.keys(rows[0]!).join(', ');
  const text = `INSERT INTO lead_stage_changes (${columns})
    SELECT ${columns} FROM json_populate_recordset(NULL::lead_stage_changes, $1::json)`;
  return [{ text, values: [JSON.stringify(rows)] }];
}

function rowOf(
  { workspaceId, mode }: WorkspaceRef,
  events: readonly DomainEvent[],
  actor: Actor,
): Record<string, unknown> | undefined {
  const moved = events.find(({ type }) => type === 'lead.stage_changed');
  const updated = events.find(({ type }) => type === 'lead.updated');
  if (!moved || !updated) return undefined;
  const lead = moved.data as LeadView;
  const before = { ...lead, ...updated.previous };
  const { lostReasonId, lostNote } = lead.outcome === 'lost' ? lead : before;
  return {
    workspace_id: toUuid(workspaceId),
    mode,
    lead_id: toUuid(lead.id),
    at: moved.timestamp,
    from_stage: before.stage,
    to_stage: lead.stage,
    lost_reason_id: lostReasonId && toUuid(lostReasonId),
    lost_note: lostNote,
    actor_type: actor?.type ?? null,
    actor_id: actor?.id ?? null,
    actor_name: actor?.name ?? null,
  };
}

interface Row {
  at: Date;
  number: string;
  from_stage: string;
  to_stage: string;
  lost_reason_id: string | null;
  lost_note: string | null;
  actor_type: TimelineActor['type'] | null;
  actor_id: string | null;
  actor_name: string | null;
}

/**
 * Reads the history of a lead's stages, newest first.
 *
 * @param before reads only what precedes this change, by its time and number
 */
export async function readStageChanges(
  database: Database,
  ref: WorkspaceRef,
  leadId: LeadId,
  limit: number,
  before?: Pick<StageChange, 'at' | 'number'>,
): Promise<StageChange[]> {
  const position = before ? 'AND (at, number) < ($5::timestamptz, $6::bigint)' : '';
  const rows = await database.sql<Row>(
    `SELECT at, number::text, from_stage, to_stage, lost_reason_id, lost_note, actor_type, actor_id, actor_name
     FROM lead_stage_changes WHERE workspace_id = $1 AND mode = $2 AND lead_id = $3 ${position}
     ORDER BY at DESC, number DESC LIMIT $4`,
    [...workspaceKey(ref, leadId), limit, ...(before ? [before.at, before.number] : [])],
  );
  return rows.map((row) => ({
    at: row.at,
    number: row.number,
    from: row.from_stage,
    to: row.to_stage,
    lostReasonId: row.lost_reason_id === null ? null : fromUuid('reason', row.lost_reason_id),
    lostNote: row.lost_note,
    actor: row.actor_type && { type: row.actor_type, id: row.actor_id, name: row.actor_name },
  }));
}
