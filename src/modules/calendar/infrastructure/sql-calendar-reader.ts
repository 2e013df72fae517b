import { Injectable } from '@nestjs/common';
import { type CalendarEventId, fromUuid, type Id, type SpaceId, toUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { DAY_MS } from '../../../kernel/time-zone';
import { Database } from '../../../platform/persistence/database';
import { pageQuery, type PageRow, Parameters, toSlice } from '../../../platform/persistence/keyset';
import {
  CalendarReader,
  type DatedEvent,
  type EventFilter,
  type EventOutline,
  type OutlineLimits,
} from '../application/calendar-queries';
import type { Day, Use } from '../domain/availability';
import type { CalendarEventView, EventType } from '../domain/calendar-event';
import type { CalendarRange } from '../domain/calendar-range';
import { EVENT_COLUMNS, type EventRow, LONGEST_DAYS, toDatedEvent, toView } from './event-rows';

interface UseRow {
  entries: string | null;
  /** Null, as all that follows, when there are no uses or too many. */
  event_id: string;
  type: EventType;
  space_ids: string[];
  starts_at: Date;
  ends_at: Date;
}

/** Reads go straight to SQL: an entity that nobody changes is not worth making. */
@Injectable()
export class SqlCalendarReader extends CalendarReader {
  constructor(private readonly database: Database) {
    super();
  }

  async find(
    { workspaceId, mode }: WorkspaceRef,
    id: CalendarEventId,
  ): Promise<CalendarEventView | undefined> {
    const [row] = await this.database.query<EventRow>({
      text: `SELECT ${EVENT_COLUMNS} FROM calendar_events WHERE workspace_id = $1 AND mode = $2 AND id = $3`,
      values: [toUuid(workspaceId), mode, toUuid(id)],
    });
    return row && toView(row);
  }

  async list(
    ref: WorkspaceRef,
    range: CalendarRange,
    filter: EventFilter,
    request: PageRequest,
  ): Promise<Slice<DatedEvent>> {
    const parameters = new Parameters();
    const text = pageQuery({
      columns: EVENT_COLUMNS,
      from: 'calendar_events',
      conditions: conditionsOf(ref, range, filter, parameters),
      parameters,
      sort: { column: 'starts_at', type: 'timestamptz', nullable: false },
      request,
      afterId: request.after && toUuid(request.after.id as Id<'cal'>),
    });
    const rows = await this.database.query<PageRow<EventRow>>({ text, values: parameters.values });
    return toSlice(rows, request.limit, toDatedEvent);
  }

  outlines(
    ref: WorkspaceRef,
    range: CalendarRange,
    filter: EventFilter,
    limits: OutlineLimits,
  ): Promise<EventOutline[]> {
    const parameters = new Parameters();
    const conditions = conditionsOf(ref, range, filter, parameters);
    return this.database.query<EventOutline>({
      text: `SELECT type, left(title, ${parameters.add(limits.title)}) AS title, start_day IS NOT NULL AS "allDay",
               starts_at AS "startsAt", ends_at AS "endsAt"
             FROM calendar_events WHERE ${conditions.join(' AND ')}
             ORDER BY starts_at, id LIMIT ${parameters.add(limits.events)}`,
      values: parameters.values,
    });
  }

  /**
   * What takes a space is known with its set-up and clearing; the rest by its own time. A use is an entry for each of its
   * spaces on each day that starts before its end, but for those that end by its start. They are counted where they are: what
   * is too much isn't read.
   */
  async uses(
    { workspaceId, mode }: WorkspaceRef,
    { from, to }: CalendarRange,
    days: readonly Day[],
    spaceIds: readonly SpaceId[],
    maxEntries: number,
  ): Promise<Use[] | undefined> {
    const rows = await this.database.query<UseRow>({
      text: `
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
        SELECT entries, uses.* FROM counted LEFT JOIN uses ON entries <= $9 ORDER BY starts_at, event_id`,
      values: [
        toUuid(workspaceId),
        mode,
        from,
        to,
        spaceIds.map(toUuid),
        new Date(from.getTime() - LONGEST_DAYS * DAY_MS),
        days.map(({ start }) => new Date(start)),
        days.map(({ end }) => new Date(end)),
        maxEntries,
      ],
    });
    const entries = Number(rows[0]!.entries);
    if (entries > maxEntries) return undefined;
    if (entries === 0) return [];
    const spaceIdOf = spelling('space');
    return rows.map((row) => ({
      eventId: fromUuid('cal', row.event_id),
      type: row.type,
      spaceIds: row.space_ids.map(spaceIdOf),
      from: row.starts_at,
      to: row.ends_at,
    }));
  }
}

/** Ids by their UUIDs, for rows that name the same ones again and again. */
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

function conditionsOf(
  { workspaceId, mode }: WorkspaceRef,
  { from, to }: CalendarRange,
  filter: EventFilter,
  parameters: Parameters,
): string[] {
  const conditions = [
    `workspace_id = ${parameters.add(toUuid(workspaceId))}`,
    `mode = ${parameters.add(mode)}`,
    `ends_at > ${parameters.add(from)}::timestamptz`,
    `starts_at < ${parameters.add(to)}::timestamptz`,
    // Says nothing new, and keeps the index from being read from the beginning of time.
    `starts_at > ${parameters.add(new Date(from.getTime() - LONGEST_DAYS * DAY_MS))}::timestamptz`,
  ];
  const narrow = (value: unknown, condition: (place: string) => string) => {
    if (value !== undefined) conditions.push(condition(parameters.add(value)));
  };
  narrow(filter.type, (place) => `type = ${place}`);
  narrow(filter.status, (place) => `status = ${place}`);
  narrow(filter.leadId && toUuid(filter.leadId), (place) => `lead_id = ${place}`);
  narrow(filter.spaceId && toUuid(filter.spaceId), (place) => `space_ids @> ARRAY[${place}::uuid]`);
  return conditions;
}
