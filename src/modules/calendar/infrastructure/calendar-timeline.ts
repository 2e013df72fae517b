import { Injectable } from '@nestjs/common';
import { fromUuid, type LeadId } from '../../../kernel/ids';
import type { TimelineEntry, TimelinePart } from '../../../kernel/timeline';
import { Database } from '../../../platform/persistence/database';
import { latestTimes, type TimelineRow, timelineRows } from '../../../platform/persistence/timeline-rows';
import { IN_WORKSPACE } from '../../../platform/persistence/workspace-key';
import type { EventStatus, EventType } from '../domain/calendar-event';

interface Row extends TimelineRow {
  type: EventType;
  title: string;
  status: EventStatus;
  starts_at: Date;
  ends_at: Date;
  start_day: string | null;
  end_day: string | null;
  time_zone: string;
}

const SOURCE = {
  from: 'calendar_events',
  where: `${IN_WORKSPACE} AND lead_id = $3`,
  at: 'starts_at',
  type: `'calendar_event'::text`,
  columns: 'type, title, status, starts_at, ends_at, start_day, end_day, time_zone',
};

/** Cancelled events are in the timeline, but nothing happened at their time. */
const TAKEN_PLACE = { ...SOURCE, where: `${SOURCE.where} AND status <> 'cancelled'` };

const NAMES: Record<EventType, string> = { visit: 'Visit', event: 'Event', hold: 'Hold', block: 'Block' };

/** The calendar events of a lead in its timeline, by their start: those in the future come first. */
@Injectable()
export class CalendarTimeline implements TimelinePart {
  readonly name = 'calendar';
  readonly scope = 'calendar:read';

  constructor(private readonly database: Database) {}

  latest(...request: Parameters<NonNullable<TimelinePart['latest']>>): Promise<Map<LeadId, Date>> {
    return latestTimes(this.database, TAKEN_PLACE, request);
  }

  async read(...request: Parameters<TimelinePart['read']>): Promise<TimelineEntry[]> {
    const rows = await timelineRows<Row>(this.database, SOURCE, request);
    return rows.map(toEntry);
  }
}

function toEntry(row: Row): TimelineEntry {
  const { type, title, status, start_day, end_day } = row;
  return {
    at: row.entry_at,
    type: row.entry_type,
    id: fromUuid('cal', row.id),
    actor: null,
    summary: `${NAMES[type]}${status === 'cancelled' ? ' (cancelled)' : ''}: ${title}`,
    data: {
      ...{ type, title, status },
      startsAt: start_day ?? row.starts_at,
      endsAt: end_day ?? row.ends_at,
      timeZone: row.time_zone,
      allDay: start_day !== null,
    },
  };
}
