import { Module } from '@nestjs/common';
import { TimelineParts } from '../../kernel/timeline';
import { LeadPageParts } from '../leads';
import { ActivityQueries } from './application/activity-queries';
import { ActivityRepository } from './application/activity-repository';
import { ChangeActivity } from './application/change-activity';
import { LogActivity } from './application/log-activity';
import { ActivitiesController } from './http/activities.controller';
import { ActivityTimeline } from './infrastructure/activity-timeline';
import { PostgresActivityRepository } from './infrastructure/activity.repository';
import { ActivityPagesController } from './pages/activity-pages.controller';
import { ActivityPanel } from './pages/activity-panel';

@Module({
  controllers: [ActivitiesController, ActivityPagesController],
  providers: [
    ActivityPanel,
    ActivityQueries,
    ActivityTimeline,
    ChangeActivity,
    LogActivity,
    { provide: ActivityRepository, useClass: PostgresActivityRepository },
  ],
})
export class ActivitiesModule {
  constructor(
    timeline: TimelineParts,
    part: ActivityTimeline,
    leadPages: LeadPageParts,
    panel: ActivityPanel,
  ) {
    timeline.add(part);
    leadPages.addPanel(panel);
  }
}
