import { readableWith } from '../../kernel/event-types';
import type { Feature } from '../../platform/feature';
import { TaskResponse } from './http/task.dto';
import { TaskSchema } from './infrastructure/task.schema';
import { TasksModule } from './tasks.module';

export const tasks: Feature = {
  module: TasksModule,
  schemas: [TaskSchema],
  scopes: {
    'tasks:read': 'Read your tasks',
    'tasks:write': 'Create, change, complete and archive tasks',
  },
  events: readableWith(
    'tasks:read',
    {
      'task.created': 'A task was created',
      'task.updated': 'A task was changed, archived or restored',
      'task.completed': 'A task was completed',
      'task.reopened': 'A completed task was reopened',
      'task.due': 'An open task is due',
    },
    {},
    TaskResponse,
  ),
};
