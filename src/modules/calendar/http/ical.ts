import ical, {
  ICalCalendarMethod,
  ICalEvent,
  ICalEventStatus,
  ICalEventTransparency,
  type ICalEventData,
} from 'ical-generator';
import type { CalendarFeed, FeedPage } from '../application/feed-contents';
import type { DatedEvent } from '../application/calendar-queries';
import type { EventType } from '../domain/calendar-event';

const HOUR_SECONDS = 3600;
// Characters that RFC 5545 section 3.1 excludes from texts. Line breaks can be escaped.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
/** The most octets of a line without its CRLF (RFC 5545 section 3.1). */
const MAX_LINE = 75;

const WORDS: Record<EventType, string> = { visit: 'Visit', event: 'Event', hold: 'Hold', block: 'Blocked' };
const CUT =
  'This calendar is too large for calendar programs. The oldest events are left out, and then those furthest ahead.';

export const CALENDAR_END = Buffer.from('END:VCALENDAR\r\n');

/** The library requires an event's calendar, but only reads from it that there is no time zone. */
const ANY_CALENDAR = ical();

/**
 * The beginning of a calendar by RFC 5545. Times are in UTC, which calendar programs convert, and all-day events have dates.
 * Without recurring events, no time zone needs a description.
 *
 * @param isCut whether events are left out
 */
export function calendarStart(
  { ref, workspaceName, timeZone }: Omit<CalendarFeed, 'pages'>,
  isCut: boolean,
): Buffer {
  const name = ref.mode === 'test' ? `${workspaceName} (test)` : workspaceName;
  const empty = ical({
    name: clean(name),
    prodId: { company: 'Gala', product: 'Calendar', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: HOUR_SECONDS,
    ...(isCut && { description: CUT }),
    x: [['X-WR-TIMEZONE', timeZone]],
  }).toString();
  return Buffer.from(empty.slice(0, empty.lastIndexOf('END:VCALENDAR')));
}

/** The lines of an event. The same event always gives the same bytes. */
export function calendarEntry(dated: DatedEvent, spaceNames: FeedPage['spaceNames']): Buffer {
  return fold(new ICalEvent(dataOf(dated, spaceNames), ANY_CALENDAR).toString());
}

/**
 * Folds long lines between characters, in one pass. The library's own folding measures each character, which takes seconds
 * for a few megabytes.
 */
export function fold(lines: string): Buffer {
  const bytes = Buffer.from(lines);
  const pieces: Buffer[] = [];
  let start = 0;
  while (start < bytes.length) {
    const lineEnd = bytes.indexOf('\r\n', start);
    const end = lineEnd === -1 ? bytes.length : lineEnd + 2;
    const textEnd = lineEnd === -1 ? end : lineEnd;
    let room = MAX_LINE;
    while (textEnd - start > room) {
      const cut = characterStart(bytes, start + room);
      pieces.push(bytes.subarray(start, cut), FOLD);
      start = cut;
      room = MAX_LINE - 1;
    }
    pieces.push(bytes.subarray(start, end));
    start = end;
  }
  return Buffer.concat(pieces);
}
const FOLD = Buffer.from('\r\n ');

/** The index of the first byte of the character at `index`. */
function characterStart(bytes: Buffer, index: number): number {
  while ((bytes[index]! & 0b1100_0000) === 0b1000_0000) index--;
  return index;
}

function dataOf({ event, startsAt, endsAt }: DatedEvent, spaceNames: FeedPage['spaceNames']): ICalEventData {
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
