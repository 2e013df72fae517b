import { Injectable } from '@nestjs/common';
import {
  type CalendarEventId,
  fromUuid,
  type Id,
  type LeadId,
  type SpaceId,
  toUuid,
} from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { DAY_MS } from '../../../kernel/time-zone';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { readSlice } from '../../../platform/persistence/keyset';
import { Parameters } from '../../../platform/persistence/parameters';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import {
  CalendarReader,
  type DatedEvent,
  type EventFilter,
  type EventOutline,
  type EventSortField,
  type OutlineLimits,
} from '../application/calendar-queries';
import type { Day, Use } from '../domain/availability';
import type { CalendarEvent, CalendarEventView, EventType } from '../domain/calendar-event';
import type { Reading } from '../application/ranked-holds';
import type { CalendarRange } from '../domain/calendar-range';
import { MAX_DAYS } from '../domain/schedule';
import { CalendarEventSchema } from './calendar-event.schema';

/** When something is to be done about a live ranked hold of the workspace next: an expression for statements with its key. */
export const NEXT_HOLD = `(SELECT min(next_at) FROM holds WHERE ${IN_WORKSPACE} AND status = 'active')`;
/** Of one lead's entries, as far as they are read to find its next one. */
const MOST_OF_LEAD = 500;
/** An empty page of a list doesn't tell. */
const MAYBE_DUE = new Date(0);

interface Probed {
  next_hold: Date | null;
}

interface UseRow extends Probed {
  entries: string | null;
  /** This and the following are null when there are no uses or too many. */
  event_id: string;
  type: EventType;
  space_ids: string[];
  starts_at: Date;
  ends_at: Date;
}

/** The longest duration of an event, in days, with days of 25 hours. */
export const LONGEST_DAYS = MAX_DAYS + 2;

export function toDatedEvent(event: CalendarEvent): DatedEvent {
  return { event: event.view(), startsAt: event.startsAt, endsAt: event.endsAt };
}

@Injectable()
export class PostgresCalendarReader extends CalendarReader {
  private readonly statements: EntityStatements<CalendarEvent>;

  constructor(private readonly database: Database) {
    super();
    this.statements = database.statements(CalendarEventSchema);
  }

  async find(ref: WorkspaceRef, id: CalendarEventId): Promise<Reading<CalendarEventView | undefined>> {
    const [row] = await this.database.sql<Probed>(
      `SELECT ${this.statements.columns}, ${NEXT_HOLD} AS next_hold FROM "calendar_events" WHERE ${IN_WORKSPACE} AND id = $3`,
      workspaceKey(ref, id),
    );
    return { result: row && this.statements.read(row).view(), nextHoldAt: row?.next_hold ?? null };
  }

  async list(
    ref: WorkspaceRef,
    range: CalendarRange,
    filter: EventFilter,
    request: PageRequest<EventSortField>,
  ): Promise<Reading<Slice<DatedEvent>>> {
    const parameters = new Parameters();
    const conditions = conditionsOf(ref, range, filter, parameters);
    const source = this.statements.sortedBy(request.sort.field);
    const columns = `${source.columns}, ${NEXT_HOLD} AS next_hold`;
    // A hold that is due is still confirmed, so an empty list of confirmed events lacks none.
    const isEmpty = (total: number) => total === 0 && !request.isUncounted && filter.status === 'confirmed';
    const told: (Date | null)[] = [];
    const result = await readSlice<{ id: string } & Probed, DatedEvent>(
      this.database,
      { ...source, columns, conditions, parameters, request },
      (row) => {
        told.push(row.next_hold);
        return toDatedEvent(this.statements.read(row));
      },
    );
    const [nextHoldAt = isEmpty(result.total) ? null : MAYBE_DUE] = told;
    return { result, nextHoldAt };
  }

  async outlines(
    ref: WorkspaceRef,
    range: CalendarRange,
    filter: EventFilter,
    limits: OutlineLimits,
  ): Promise<Reading<EventOutline[]>> {
    const parameters = new Parameters();
    const conditions = conditionsOf(ref, range, filter, parameters);
    const rows = await this.database.sql<Omit<EventOutline, 'id'> & { id: string } & Probed>(
      `SELECT id, ${NEXT_HOLD} AS next_hold, type, left(title, ${parameters.add(limits.title)}) AS title, start_day IS NOT NULL AS "allDay",
         starts_at AS "startsAt", ends_at AS "endsAt"
       FROM calendar_events WHERE ${conditions.join(' AND ')}
       ORDER BY starts_at, id LIMIT ${parameters.add(limits.events)}`,
      parameters.values,
    );
    const nextHoldAt = rows[0]?.next_hold ?? null;
    return { result: rows.map((row) => ({ ...row, id: fromUuid('cal', row.id) })), nextHoldAt };
  }

  async spacesOfLead(
    ref: WorkspaceRef,
    leadId: LeadId,
    day: CalendarRange | undefined,
    now: Date,
  ): Promise<string[]> {
    const longestBefore = (instant: Date) => new Date(instant.getTime() - LONGEST_DAYS * DAY_MS);
    const ofLead = `SELECT id, type, status, starts_at, ends_at, space_ids FROM calendar_events WHERE ${IN_WORKSPACE} AND lead_id = $3`;
    // Each part reads a bounded number of entries by the index, and both may have the same. Those nearest to the day begin
    // last before its end.
    const rows = await this.database.sql<{ name: string }>(
      `SELECT spaces.name FROM (
         SELECT space_ids FROM (
           (${ofLead} AND starts_at > $6 AND starts_at < $8 ORDER BY starts_at DESC, id DESC LIMIT ${MOST_OF_LEAD})
           UNION ALL
           (${ofLead} AND starts_at > $5 ORDER BY starts_at, id LIMIT ${MOST_OF_LEAD})) AS near
         WHERE status = 'confirmed' AND type IN ('event', 'hold') AND ends_at > $4
         ORDER BY (starts_at >= $7 AND starts_at < $8) IS TRUE DESC, (ends_at > $7 AND starts_at < $8) IS TRUE DESC,
           type, starts_at, id LIMIT 1) AS planned
       CROSS JOIN LATERAL unnest(planned.space_ids) WITH ORDINALITY AS taken (id, place)
       JOIN spaces ON spaces.workspace_id = $1 AND spaces.mode = $2 AND spaces.id = taken.id ORDER BY place`,
      [
        ...workspaceKey(ref, leadId),
        ...[now, longestBefore(now), day && longestBefore(day.from), day?.from, day?.to],
      ],
    );
    return rows.map(({ name }) => name);
  }

  /**
   * Events and blocks count with their set-up and clearing, holds and visits by their own time. A use is one entry for each
   * of its spaces on each day that it overlaps. The database counts the entries before they are read, because of the limit.
   */
  async uses(
    ref: WorkspaceRef,
    { from, to }: CalendarRange,
    days: readonly Day[],
    spaceIds: readonly SpaceId[],
    maxEntries: number,
  ): Promise<Reading<Use[] | undefined>> {
    const rows = await this.database.sql<UseRow>(
      `
        WITH uses AS MATERIALIZED (
          SELECT e.id AS event_id, e.type, array_agg(o.space_id) AS space_ids, lower(o.period) AS starts_at,
            upper(o.period) AS ends_at
          FROM calendar_occupancies o
          JOIN calendar_events e ON (e.workspace_id, e.mode, e.id) = (o.workspace_id, o.mode, o.event_id)
          WHERE o.workspace_id = $1 AND o.mode = $2 AND o.space_id = ANY ($5::uuid[]) AND o.period && tstzrange($3, $4)
          GROUP BY e.id, e.type, o.period
          UNION ALL
          SELECT id, type, space_ids, starts_at, ends_at FROM calendar_events
          WHERE workspace_id = $1 AND mode = $2 AND space_ids && $5::uuid[]
            AND type IN ('visit', 'hold') AND status = 'confirmed'
            AND starts_at > $6 AND starts_at < $4 AND ends_at > $3
          LIMIT $9 + 1
        ), counted AS (
          SELECT sum(
            (SELECT count(*) FROM unnest(space_ids) AS space (id) WHERE id = ANY ($5::uuid[]))
            * (width_bucket(ends_at - interval '1 microsecond', $7::timestamptz[])
               - width_bucket(starts_at, $8::timestamptz[]))
          ) AS entries
          FROM uses
        )
        SELECT entries, ${NEXT_HOLD} AS next_hold, uses.* FROM counted LEFT JOIN uses ON entries <= $9 ORDER BY starts_at, event_id`,
      [
        ...workspaceKey(ref),
        from,
        to,
        spaceIds.map(toUuid),
        new Date(from.getTime() - LONGEST_DAYS * DAY_MS),
        days.map(({ start }) => new Date(start)),
        days.map(({ end }) => new Date(end)),
        maxEntries,
      ],
    );
    const { entries: text, next_hold: nextHoldAt } = rows[0]!;
    const entries = Number(text);
    if (entries > maxEntries) return { result: undefined, nextHoldAt };
    return { result: entries === 0 ? [] : usesOf(rows), nextHoldAt };
  }
}

function usesOf(rows: readonly UseRow[]): Use[] {
  const spaceIdOf = spelling('space');
  return rows.map((row) => ({
    eventId: fromUuid('cal', row.event_id),
    type: row.type,
    spaceIds: row.space_ids.map(spaceIdOf),
    from: row.starts_at,
    to: row.ends_at,
  }));
}

/** Converts UUIDs to ids once each, for rows that repeat the same ones. */
function spelling<Prefix extends string>(prefix: Prefix): (uuid: string) => Id<Prefix> {
  const spelt = new Map<string, Id<Prefix>>();
  return (uuid) => {
    const known = spelt.get(uuid);
    if (known) return known;
    const id = fromUuid(prefix, uuid);
    spelt.set(uuid, id);
    return id;
  };
}

export function conditionsOf(
  ref: WorkspaceRef,
  { from, to }: CalendarRange,
  { type, status, leadId, spaceId }: EventFilter,
  parameters: Parameters,
): string[] {
  return [
    ...parameters.inWorkspace(ref),
    `ends_at > ${parameters.add(from)}::timestamptz`,
    `starts_at < ${parameters.add(to)}::timestamptz`,
    // Excludes no row, but lets the index scan begin at the range instead of at the oldest event.
    `starts_at > ${parameters.add(new Date(from.getTime() - LONGEST_DAYS * DAY_MS))}::timestamptz`,
    ...parameters.when(type, (place) => `type = ${place}`),
    ...parameters.when(status, (place) => `status = ${place}`),
    ...parameters.when(leadId && toUuid(leadId), (lead) => `lead_id = ${lead}`),
    ...parameters.when(spaceId && toUuid(spaceId), (space) => `space_ids @> ARRAY[${space}::uuid]`),
  ];
}
