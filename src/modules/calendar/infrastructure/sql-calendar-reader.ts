import { Injectable } from '@nestjs/common';
import { type CalendarEventId, fromUuid, type Id, type SpaceId, toUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { DAY_MS } from '../../../kernel/time-zone';
import { Database } from '../../../platform/persistence/database';
import { pageQuery, type PageRow, Parameters, toSlice } from '../../../platform/persistence/keyset';
import { CalendarReader, type DatedEvent, type EventFilter } from '../application/calendar-queries';
import type { Use } from '../domain/availability';
import type { CalendarEventView, EventStatus, EventType } from '../domain/calendar-event';
import type { CalendarRange } from '../domain/calendar-range';
import { MAX_DAYS } from '../domain/schedule';

interface Row {
  id: string;
  type: EventType;
  title: string;
  description: string | null;
  starts_at: Date;
  ends_at: Date;
  time_zone: string;
  start_day: string | null;
  end_day: string | null;
  location: string | null;
  space_ids: string[];
  lead_id: string | null;
  guests: number | null;
  status: EventStatus;
  sequence: number;
  created_at: Date;
  updated_at: Date;
}

interface UseRow {
  event_id: string;
  type: EventType;
  space_id: string;
  starts_at: Date;
  ends_at: Date;
}

const COLUMNS = `id, type, title, description, starts_at, ends_at, time_zone, start_day, end_day, location, space_ids,
  lead_id, guests, status, sequence, created_at, updated_at`;

/** How far back something that still lasts can have begun; days of 25 hours included. */
const LONGEST_MS = (MAX_DAYS + 2) * DAY_MS;

/** Reads go straight to SQL: an entity that nobody changes is not worth making. */
/** More than an answer can hold, so that it is refused for that. */
const MAX_USES = 20_001;

@Injectable()
export class SqlCalendarReader extends CalendarReader {
  constructor(private readonly database: Database) {
    super();
  }

  async find(
    { workspaceId, mode }: WorkspaceRef,
    id: CalendarEventId,
  ): Promise<CalendarEventView | undefined> {
    const [row] = await this.database.query<Row>({
      text: `SELECT ${COLUMNS} FROM calendar_events WHERE workspace_id = $1 AND mode = $2 AND id = $3`,
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
      columns: COLUMNS,
      from: 'calendar_events',
      conditions: conditionsOf(ref, range, filter, parameters),
      parameters,
      sort: { column: 'starts_at', type: 'timestamptz', nullable: false },
      request,
      afterId: request.after && toUuid(request.after.id as Id<'cal'>),
    });
    const rows = await this.database.query<PageRow<Row>>({ text, values: parameters.values });
    return toSlice(rows, request.limit, toDatedEvent);
  }

  async within(
    ref: WorkspaceRef,
    range: CalendarRange,
    filter: EventFilter,
    limit: number,
  ): Promise<DatedEvent[]> {
    const parameters = new Parameters();
    const conditions = conditionsOf(ref, range, filter, parameters);
    const rows = await this.database.query<Row>({
      text: `SELECT ${COLUMNS} FROM calendar_events WHERE ${conditions.join(' AND ')}
             ORDER BY starts_at, id LIMIT ${parameters.add(limit)}`,
      values: parameters.values,
    });
    return rows.map(toDatedEvent);
  }

  /** What takes a space is known with its set-up and clearing; the rest by its own time. */
  async uses(
    { workspaceId, mode }: WorkspaceRef,
    { from, to }: CalendarRange,
    spaceIds: readonly SpaceId[],
  ): Promise<Use[]> {
    const rows = await this.database.query<UseRow>({
      text: `
        SELECT e.id AS event_id, e.type, o.space_id, lower(o.period) AS starts_at, upper(o.period) AS ends_at
        FROM calendar_occupancies o
        JOIN calendar_events e ON (e.workspace_id, e.mode, e.id) = (o.workspace_id, o.mode, o.event_id)
        WHERE o.workspace_id = $1 AND o.mode = $2 AND o.space_id = ANY ($5::uuid[]) AND o.period && tstzrange($3, $4)
        UNION ALL
        SELECT e.id, e.type, used.space_id, e.starts_at, e.ends_at
        FROM calendar_events e CROSS JOIN unnest(e.space_ids) AS used (space_id)
        WHERE e.workspace_id = $1 AND e.mode = $2 AND used.space_id = ANY ($5::uuid[])
          AND e.type IN ('visit', 'hold') AND e.status = 'confirmed'
          AND e.starts_at > $6 AND e.starts_at < $4 AND e.ends_at > $3
        ORDER BY starts_at, event_id LIMIT ${MAX_USES}`,
      values: [
        toUuid(workspaceId),
        mode,
        from,
        to,
        spaceIds.map(toUuid),
        new Date(from.getTime() - LONGEST_MS),
      ],
    });
    return rows.map((row) => ({
      eventId: fromUuid('cal', row.event_id),
      type: row.type,
      spaceId: fromUuid('space', row.space_id),
      from: row.starts_at,
      to: row.ends_at,
    }));
  }
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
    `starts_at > ${parameters.add(new Date(from.getTime() - LONGEST_MS))}::timestamptz`,
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

function toDatedEvent(row: Row): DatedEvent {
  return { event: toView(row), startsAt: row.starts_at, endsAt: row.ends_at };
}

function toView(row: Row): CalendarEventView {
  const spaceIds = row.space_ids.map((uuid) => fromUuid('space', uuid));
  return {
    id: fromUuid('cal', row.id),
    type: row.type,
    title: row.title,
    description: row.description,
    startsAt: row.start_day ?? row.starts_at,
    endsAt: row.end_day ?? row.ends_at,
    timeZone: row.time_zone,
    allDay: row.start_day !== null,
    location: row.location,
    spaceId: spaceIds[0] ?? null,
    spaceIds,
    leadId: row.lead_id === null ? null : fromUuid('lead', row.lead_id),
    guests: row.guests,
    status: row.status,
    sequence: row.sequence,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
