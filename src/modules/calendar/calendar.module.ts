import { Module } from '@nestjs/common';
import { PolicyRunner } from '../../kernel/policies';
import { TimelineParts } from '../../kernel/timeline';
import { Exports } from '../../platform/exports/exports';
import { fieldCheck } from '../../platform/http/field-check';
import { AuditActions } from '../audit-log';
import { LeadPageParts } from '../leads';
import { OverviewParts, SettingsNavigation } from '../shell';
import { BookVisit } from './application/book-visit';
import { CALENDAR_ACTIONS } from './application/calendar-actions';
import { CalendarEventPolicies } from './application/calendar-event-policies';
import { CalendarEventRepository } from './application/calendar-event-repository';
import { CalendarFeedRepository, CalendarFeeds } from './application/calendar-feeds';
import { CalendarQueries, CalendarReader } from './application/calendar-queries';
import { ChangeEvent } from './application/change-event';
import { LinkedRecords } from './application/linked-records';
import { FeedContents, FeedReader } from './application/feed-contents';
import { HeldSpaces } from './application/held-spaces';
import { ManageSpaces } from './application/manage-spaces';
import { MonthQueries, MonthReader } from './application/month-queries';
import { PlanEvent } from './application/plan-event';
import { RankedHolds } from './application/ranked-holds';
import { SpaceBooking } from './application/space-booking';
import { SpaceRepository } from './application/space-repository';
import { WorkspaceTimeZone } from './application/workspace-time-zone';
import { AvailabilityController } from './http/availability.controller';
import { CalendarEventResponse, UpdateEventBody } from './http/calendar-event.dto';
import { CalendarEventsController } from './http/calendar-events.controller';
import { CalendarExportController } from './http/calendar-export.controller';
import { CalendarFeedController } from './http/calendar-feed.controller';
import { FeedBodies } from './http/feed-bodies';
import { SpacesController } from './http/spaces.controller';
import { VisitsController } from './http/visits.controller';
import { CalendarTimeline } from './infrastructure/calendar-timeline';
import { PostgresCalendarFeedRepository } from './infrastructure/calendar-feed.repository';
import { PostgresCalendarReader } from './infrastructure/calendar.reader';
import { PostgresMonthReader } from './infrastructure/month.reader';
import { PostgresFeedReader } from './infrastructure/feed.reader';
import { PostgresCalendarEventRepository } from './infrastructure/calendar-event.repository';
import { PostgresSpaceRepository } from './infrastructure/space.repository';
import { AvailabilityPagesController } from './pages/availability.controller';
import { CalendarPagesController } from './pages/calendar-pages.controller';
import { CalendarPanel } from './pages/calendar-panel';
import { ClashTexts } from './pages/clash-texts';
import { DayController } from './pages/day.controller';
import { DayPage } from './pages/day-page';
import { DayPageParts } from './pages/day-page-parts';
import { EntriesController } from './pages/entries.controller';
import { EntryForms } from './pages/entry-forms';
import { PlanLeads } from './pages/plan-leads';
import { TodaySummary } from './pages/today-summary';
import { LeadVisitsController } from './pages/lead-visits.controller';

@Module({
  controllers: [
    CalendarEventsController,
    CalendarExportController,
    AvailabilityController,
    AvailabilityPagesController,
    DayController,
    EntriesController,
    VisitsController,
    CalendarFeedController,
    CalendarPagesController,
    LeadVisitsController,
    SpacesController,
  ],
  providers: [
    BookVisit,
    CalendarFeeds,
    CalendarPanel,
    CalendarQueries,
    CalendarTimeline,
    ChangeEvent,
    ClashTexts,
    DayPage,
    DayPageParts,
    EntryForms,
    LinkedRecords,
    FeedBodies,
    FeedContents,
    HeldSpaces,
    ManageSpaces,
    MonthQueries,
    PlanEvent,
    PlanLeads,
    RankedHolds,
    SpaceBooking,
    TodaySummary,
    WorkspaceTimeZone,
    {
      provide: CalendarEventPolicies,
      useFactory: (runner: PolicyRunner) =>
        new CalendarEventPolicies('calendar event', runner, fieldCheck(UpdateEventBody, 'spaceIds')),
      inject: [PolicyRunner],
    },
    { provide: CalendarEventRepository, useClass: PostgresCalendarEventRepository },
    { provide: CalendarFeedRepository, useClass: PostgresCalendarFeedRepository },
    { provide: CalendarReader, useClass: PostgresCalendarReader },
    { provide: MonthReader, useClass: PostgresMonthReader },
    { provide: FeedReader, useClass: PostgresFeedReader },
    { provide: SpaceRepository, useClass: PostgresSpaceRepository },
  ],
  exports: [
    BookVisit,
    CalendarEventPolicies,
    CalendarFeeds,
    CalendarQueries,
    ChangeEvent,
    ClashTexts,
    DayPage,
    DayPageParts,
    HeldSpaces,
    ManageSpaces,
    PlanEvent,
    PlanLeads,
    RankedHolds,
  ],
})
export class CalendarModule {
  constructor(
    actions: AuditActions,
    navigation: SettingsNavigation,
    timeline: TimelineParts,
    timelinePart: CalendarTimeline,
    exports: Exports,
    leadPages: LeadPageParts,
    panel: CalendarPanel,
    overview: OverviewParts,
    summary: TodaySummary,
  ) {
    overview.add(summary);
    leadPages.addPanel(panel);
    exports.add('calendar-events', CalendarEventResponse);
    timeline.add(timelinePart);
    actions.register(CALENDAR_ACTIONS);
    navigation.add({
      group: 'Sales',
      label: 'Calendar',
      path: ':mode/calendar',
      least: 'member',
      position: 3,
    });
  }
}
