import { fromUuid, type Id, type LeadId, parseId, toUuid } from '../../kernel/ids';
import type { WorkspaceRef } from '../../kernel/principal';
import type { TimelinePosition } from '../../kernel/timeline';
import type { Database } from './database';
import { workspaceKey } from './workspace-key';

/** The rows of a table that make entries of a timeline. `$1` to `$3` are workspace, mode and lead. */
export interface TimelineSource {
  /** What follows FROM, and the conditions. */
  readonly from: string;
  readonly where: string;
  /** The time of an entry. An index ends in (lead, this, id). */
  readonly at: string;
  /** The type of an entry. */
  readonly type: string;
  /** Those beyond `id`, which is the row's uuid. */
  readonly columns: string;
}

export interface TimelineRow {
  readonly id: string;
  readonly entry_at: Date;
  readonly entry_type: string;
}

/** Smaller than any id: the position of another part differs by its type already. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** The latest rows of a lead after a position, by the order of `compareEntries`. */
export function timelineRows<Row extends TimelineRow>(
  database: Database,
  { from, where, at, type, columns }: TimelineSource,
  [ref, leadId, after, limit]: [WorkspaceRef, LeadId, TimelinePosition | undefined, number],
): Promise<Row[]> {
  const place = `(${at}, (${type}) COLLATE "C", id)`;
  // The first condition is the range of the index, the second decides among rows of the same time.
  const range = after ? `AND ${at} <= $5 AND ${place} < ($5::timestamptz, $6::text, $7::uuid)` : '';
  return database.sql<Row>(
    `SELECT id, ${at} AS entry_at, ${type} AS entry_type, ${columns} FROM ${from} WHERE ${where} ${range}
     ORDER BY ${at} DESC, (${type}) COLLATE "C" DESC, id DESC LIMIT $4`,
    [...workspaceKey(ref, leadId), limit, ...(after ? [after.at, after.type, uuidOf(after.id)] : [])],
  );
}

/** The time of the latest row of each lead that isn't later than `until`. Leads without one are left out. */
export async function latestTimes(
  database: Database,
  { from, where, at }: Pick<TimelineSource, 'from' | 'where' | 'at'>,
  [ref, leadIds, until]: [WorkspaceRef, readonly LeadId[], Date],
): Promise<Map<LeadId, Date>> {
  const ofLead = (text: string) => text.replaceAll('$3', 'lead.id');
  const rows = await database.sql<{ id: string; at: Date }>(
    `SELECT * FROM (
       SELECT lead.id, (
         SELECT ${at} FROM ${ofLead(from)} WHERE ${ofLead(where)} AND ${at} <= $4 ORDER BY ${at} DESC LIMIT 1
       ) AS at FROM unnest($3::uuid[]) AS lead(id)) AS latest_of_leads WHERE at IS NOT NULL`,
    [...workspaceKey(ref), leadIds.map(toUuid), until],
  );
  return new Map(rows.map(({ id, at }) => [fromUuid('lead', id), at]));
}

function uuidOf(id: string): string {
  const prefix = id.slice(0, id.lastIndexOf('_'));
  return parseId(prefix, id) ? toUuid(id as Id<string>) : NO_ID;
}
