import ical, {
  ICalCalendarMethod,
  type ICalEventData,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator';
import type { CalendarFeed } from '../application/calendar-feeds';
import type { DatedEvent } from '../application/calendar-queries';
import type { EventType } from '../domain/calendar-event';

const HOUR_SECONDS = 3600;
// Everything that RFC 5545 section 3.1 doesn't let a text hold; line breaks it can write.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

const WORDS: Record<EventType, string> = { visit: 'Visit', event: 'Event', hold: 'Hold', block: 'Blocked' };

/**
 * A calendar by RFC 5545. Times are in UTC, which every program shows in its own zone, and whole days are dates; since
 * nothing repeats, no zone has to be described. The same events always give the same bytes.
 */
export function icalendar({ ref, workspaceName, timeZone, events, spaceNames }: CalendarFeed): string {
  const name = ref.mode === 'test' ? `${workspaceName} (test)` : workspaceName;
  const calendar = ical({
    name: clean(name),
    prodId: { company: 'Gala', product: 'Calendar', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: HOUR_SECONDS,
    x: [['X-WR-TIMEZONE', timeZone]],
  });
  for (const event of events) calendar.createEvent(entry(event, spaceNames));
  return calendar.toString();
}

function entry(
  { event, startsAt, endsAt }: DatedEvent,
  spaceNames: CalendarFeed['spaceNames'],
): ICalEventData {
  const spaces = event.spaceIds.map((id) => spaceNames.get(id)).filter(Boolean);
  const place = [...(event.location ? [event.location] : []), ...spaces].join(', ');
  const [start, end] = event.allDay ? [asDay(event.startsAt), asDay(event.endsAt)] : [startsAt, endsAt];
  return {
    id: `${event.id}@gala`,
    sequence: event.sequence,
    start,
    end,
    allDay: event.allDay,
    ...(event.allDay && { floating: true }),
    summary: clean(event.type === 'event' ? event.title : `${WORDS[event.type]}: ${event.title}`),
    description: event.description && clean(event.description),
    location: place ? clean(place) : null,
    categories: [{ name: WORDS[event.type] }],
    status:
      event.status === 'cancelled'
        ? ICalEventStatus.CANCELLED
        : event.type === 'hold'
          ? ICalEventStatus.TENTATIVE
          : ICalEventStatus.CONFIRMED,
    transparency: event.type === 'hold' ? ICalEventTransparency.TRANSPARENT : ICalEventTransparency.OPAQUE,
    stamp: event.updatedAt,
    created: event.createdAt,
    lastModified: event.updatedAt,
  };
}

function asDay(day: Date | string): Date {
  return new Date(`${day as string}T00:00:00Z`);
}

function clean(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROLS, '');
}
