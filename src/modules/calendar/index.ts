import { readableWith } from '../../kernel/event-types';
import type { Feature } from '../../platform/feature';
import { CalendarModule } from './calendar.module';
import { CalendarEventResponse } from './http/calendar-event.dto';
import { CalendarEventSchema } from './infrastructure/calendar-event.schema';
import { SpaceSchema } from './infrastructure/space.schema';

export { BookVisit, type VisitInput } from './application/book-visit';
export {
  type CalendarEventChange,
  type CalendarEventCreation,
  CalendarEventPolicies,
  type CalendarEventPolicy,
} from './application/calendar-event-policies';
export { CalendarFeeds } from './application/calendar-feeds';
export { ChangeEvent } from './application/change-event';
export { ManageSpaces } from './application/manage-spaces';
export { CalendarQueries, type EventFilter } from './application/calendar-queries';
export type { EventChangeInput, EventInput } from './application/event-input';
export { PlanEvent } from './application/plan-event';
export type { CalendarEventView } from './domain/calendar-event';
export type { NewSpace, SpaceView } from './domain/space';

export const calendar: Feature = {
  module: CalendarModule,
  schemas: [SpaceSchema, CalendarEventSchema],
  scopes: {
    'calendar:read': 'Read the calendar, spaces and availability',
    'calendar:write': 'Create, change and cancel calendar events, and manage spaces',
  },
  events: readableWith(
    'calendar:read',
    {
      'calendar_event.created': 'A calendar event was created',
      'calendar_event.updated': 'A calendar event was moved, changed or restored',
      'calendar_event.cancelled': 'A calendar event was cancelled',
    },
    {},
    CalendarEventResponse,
  ),
};
