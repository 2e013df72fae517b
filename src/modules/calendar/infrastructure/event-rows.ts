import { fromUuid } from '../../../kernel/ids';
import type { DatedEvent } from '../application/calendar-queries';
import {
  type CalendarEventView,
  type EventStatus,
  type EventType,
  revisionOf,
} from '../domain/calendar-event';
import { MAX_DAYS } from '../domain/schedule';

/** A row of `calendar_events` as `EVENT_COLUMNS` read it. */
export interface EventRow {
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

export const EVENT_COLUMNS = `id, type, title, description, starts_at, ends_at, time_zone, start_day, end_day, location, space_ids,
  lead_id, guests, status, sequence, created_at, updated_at`;

/** How far back something that still lasts can have begun; days of 25 hours included. */
export const LONGEST_DAYS = MAX_DAYS + 2;

export function toDatedEvent(row: EventRow): DatedEvent {
  return { event: toView(row), startsAt: row.starts_at, endsAt: row.ends_at };
}

export function toView(row: EventRow): CalendarEventView {
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
    revision: revisionOf(row.sequence),
  };
}
