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
export { type HeldEnd, HeldSpaces, type SpacesAsked, type UnrankedHold } from './application/held-spaces';
export type { SpaceInput } from './application/linked-records';
export { ManageSpaces } from './application/manage-spaces';
export { CalendarQueries, type EventFilter } from './application/calendar-queries';
export type { EventChangeInput, EventInput } from './application/event-input';
export { PlanEvent } from './application/plan-event';
export { type HoldKeeper, type HoldStanding, RankedHolds } from './application/ranked-holds';
export type { CalendarEventView } from './domain/calendar-event';
export type { HeldTime, HeldTimes } from './domain/availability';
export { type CalendarRange, rangeOf } from './domain/calendar-range';
export { type Schedule, scheduleOf, scheduleProblems, type WrittenSchedule } from './domain/schedule';
export type { Occupancy } from './domain/occupancy';
/** For bodies with the spaces and times of something planned. */
export { spaces, timeOrDay, timeZone, trueOrFalse } from './http/calendar-event.dto';
export { spacesOnce, times } from './http/event-checks';
export { spaceInput, withoutNulls } from './http/given';
/** For pages about something planned. */
export { calendarPath, dayPath } from './pages/calendar-paths';
export { ClashTexts } from './pages/clash-texts';
export { DayPage } from './pages/day-page';
export { type DayPanel, DayPageParts, type DayRequest, type RefusedForm } from './pages/day-page-parts';
export { PlanFields } from './pages/plan-fields';
export { PLAN_LABELS, readGuests, readSpaces, readTimes, renameProblems } from './pages/plan-form';
export { PlanLeads } from './pages/plan-leads';
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
