import { Module } from '@nestjs/common';
import { AuditActions } from '../audit-log';
import { BookVisit } from './application/book-visit';
import { CALENDAR_ACTIONS } from './application/calendar-actions';
import { CalendarEventRepository } from './application/calendar-event-repository';
import { CalendarFeedRepository, CalendarFeeds } from './application/calendar-feeds';
import { CalendarQueries, CalendarReader } from './application/calendar-queries';
import { ChangeEvent } from './application/change-event';
import { LinkedRecords } from './application/linked-records';
import { FeedContents, FeedReader } from './application/feed-contents';
import { ManageSpaces } from './application/manage-spaces';
import { PlanEvent } from './application/plan-event';
import { SpaceBooking } from './application/space-booking';
import { SpaceRepository } from './application/space-repository';
import { WorkspaceTimeZone } from './application/workspace-time-zone';
import { AvailabilityController } from './http/availability.controller';
import { CalendarEventsController } from './http/calendar-events.controller';
import { CalendarFeedController } from './http/calendar-feed.controller';
import { FeedBodies } from './http/feed-bodies';
import { SpacesController } from './http/spaces.controller';
import { VisitsController } from './http/visits.controller';
import { SqlCalendarFeedRepository } from './infrastructure/sql-calendar-feed-repository';
import { SqlCalendarReader } from './infrastructure/sql-calendar-reader';
import { SqlFeedReader } from './infrastructure/sql-feed-reader';
import { TypeOrmCalendarEventRepository } from './infrastructure/typeorm-calendar-event-repository';
import { TypeOrmSpaceRepository } from './infrastructure/typeorm-space-repository';

@Module({
  controllers: [
    CalendarEventsController,
    AvailabilityController,
    VisitsController,
    CalendarFeedController,
    SpacesController,
  ],
  providers: [
    BookVisit,
    CalendarFeeds,
    CalendarQueries,
    ChangeEvent,
    LinkedRecords,
    FeedBodies,
    FeedContents,
    ManageSpaces,
    PlanEvent,
    SpaceBooking,
    WorkspaceTimeZone,
    { provide: CalendarEventRepository, useClass: TypeOrmCalendarEventRepository },
    { provide: CalendarFeedRepository, useClass: SqlCalendarFeedRepository },
    { provide: CalendarReader, useClass: SqlCalendarReader },
    { provide: FeedReader, useClass: SqlFeedReader },
    { provide: SpaceRepository, useClass: TypeOrmSpaceRepository },
  ],
  exports: [BookVisit, CalendarFeeds, CalendarQueries, ChangeEvent, ManageSpaces, PlanEvent],
})
export class CalendarModule {
  constructor(actions: AuditActions) {
    actions.register(CALENDAR_ACTIONS);
  }
}
