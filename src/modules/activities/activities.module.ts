import { Module } from '@nestjs/common';
import { ActivityQueries } from './application/activity-queries';
import { ActivityRepository } from './application/activity-repository';
import { ChangeActivity } from './application/change-activity';
import { LogActivity } from './application/log-activity';
import { ActivitiesController } from './http/activities.controller';
import { PostgresActivityRepository } from './infrastructure/activity.repository';

@Module({
  controllers: [ActivitiesController],
  providers: [
    ActivityQueries,
    ChangeActivity,
    LogActivity,
    { provide: ActivityRepository, useClass: PostgresActivityRepository },
  ],
})
export class ActivitiesModule {}
