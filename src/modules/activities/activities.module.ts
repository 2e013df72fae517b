import { Module } from '@nestjs/common';
import { TimelineParts } from '../../kernel/timeline';
import { ActivityQueries } from './application/activity-queries';
import { ActivityRepository } from './application/activity-repository';
import { ChangeActivity } from './application/change-activity';
import { LogActivity } from './application/log-activity';
import { ActivitiesController } from './http/activities.controller';
import { ActivityTimeline } from './infrastructure/activity-timeline';
import { PostgresActivityRepository } from './infrastructure/activity.repository';

@Module({
  controllers: [ActivitiesController],
  providers: [
    ActivityQueries,
    ActivityTimeline,
    ChangeActivity,
    LogActivity,
    { provide: ActivityRepository, useClass: PostgresActivityRepository },
  ],
})
export class ActivitiesModule {
  constructor(timeline: TimelineParts, part: ActivityTimeline) {
    timeline.add(part);
  }
}
