import { hasAnyScope, type Principal } from '../../../kernel/principal';
import type { CalendarEventView, EventType } from '../domain/calendar-event';

const UNTITLED: Record<EventType, string> = {
  visit: 'Site visit',
  event: 'Event',
  hold: 'Hold',
  block: 'Block',
};

/**
 * The event as the answer to a change shows it. A title often is the name of a lead, also one that visits get by themselves.
 * Callers who may read neither the calendar nor leads see only a title that they sent.
 */
export function shownEvent(
  caller: Principal,
  event: CalendarEventView,
  sent: { readonly title?: string | null } = {},
): CalendarEventView {
  if (sent.title === event.title || hasAnyScope(caller, 'calendar:read', 'leads:read')) return event;
  return { ...event, title: UNTITLED[event.type] };
}
