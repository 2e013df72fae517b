import type { AuditActionWords } from '../../audit-log';

/** The audit log's actions on spaces and feeds. */
export const CALENDAR_ACTIONS = {
  'space.created': 'Created the space {target}',
  'space.updated': 'Changed the space {target}',
  'space.archived': 'Archived the space {target}',
  'space.restored': 'Restored the space {target}',
  'calendar_feed.created': 'Created a calendar link for {target}',
  'calendar_feed.revoked': 'Revoked the calendar link of {target}',
} satisfies AuditActionWords;

export type CalendarAction = keyof typeof CALENDAR_ACTIONS;
