import { NotFound } from '../../../kernel/errors';
import { type CalendarEventId, parseId } from '../../../kernel/ids';
import type { Path } from '../../../platform/pages/components/link';
import { type Area, settingsPath } from '../../shell';

export function calendarPath(area: Area, page = ''): Path {
  return settingsPath(area, `${area.mode}/calendar${page && `/${page}`}`);
}

/** The page of a day, or one below it. */
export function dayPath(area: Area, day: string, page = ''): Path {
  return calendarPath(area, `days/${day}${page && `/${page}`}`);
}

/** The page of an entry, or one below it. */
export function entryPath(area: Area, id: CalendarEventId, page = ''): Path {
  return calendarPath(area, `events/${id}${page && `/${page}`}`);
}

/** @throws NotFound for text that can't be an entry's id */
export function readEntryId(text: string): CalendarEventId {
  const id = parseId('cal', text);
  if (!id) throw new NotFound('page');
  return id;
}
