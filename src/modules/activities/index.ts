import { readableWith } from '../../kernel/event-types';
import type { Feature } from '../../platform/feature';
import { ActivitiesModule } from './activities.module';
import { ActivityResponse } from './http/activity.dto';
import { ActivitySchema } from './infrastructure/activity.schema';

/** Its routes need the scopes of leads. */
export const activities: Feature = {
  module: ActivitiesModule,
  schemas: [ActivitySchema],
  events: readableWith(
    'leads:read',
    {
      'activity.created': 'An activity of a lead was logged',
      'activity.updated': 'An activity of a lead was changed',
      'activity.deleted': 'An activity of a lead was deleted',
    },
    {},
    ActivityResponse,
  ),
};
