import { Module } from '@nestjs/common';
import { HandOvers } from '../../kernel/hand-overs';
import { TimelineParts } from '../../kernel/timeline';
import { LeadPageParts } from '../leads';
import { OverviewParts, SettingsNavigation } from '../shell';
import { AnnounceDueTasks } from './application/announce-due-tasks';
import { ChangeTask } from './application/change-task';
import { CreateTask } from './application/create-task';
import { DueMails } from './application/due-mails';
import { HandOverTasks } from './application/hand-over-tasks';
import { MailPreferences } from './application/mail-preferences';
import { TaskQueries } from './application/task-queries';
import { TaskRepository } from './application/task-repository';
import { WorkspaceDays } from './application/workspace-days';
import { TasksController } from './http/tasks.controller';
import { DueJob } from './infrastructure/due-job';
import { PostgresMailPreferences } from './infrastructure/mail-preferences';
import { TaskTimeline } from './infrastructure/task-timeline';
import { PostgresTaskRepository } from './infrastructure/task.repository';
import { LeadTasksController } from './pages/lead-tasks.controller';
import { TasksSummary } from './pages/tasks-summary';
import { TasksPanel } from './pages/tasks-panel';
import { TasksPagesController } from './pages/tasks-pages.controller';

@Module({
  controllers: [TasksController, TasksPagesController, LeadTasksController],
  providers: [
    AnnounceDueTasks,
    ChangeTask,
    CreateTask,
    DueJob,
    DueMails,
    HandOverTasks,
    TaskQueries,
    TaskTimeline,
    TasksPanel,
    TasksSummary,
    WorkspaceDays,
    { provide: MailPreferences, useClass: PostgresMailPreferences },
    { provide: TaskRepository, useClass: PostgresTaskRepository },
  ],
})
export class TasksModule {
  constructor(
    timeline: TimelineParts,
    part: TaskTimeline,
    handOvers: HandOvers,
    handOverTasks: HandOverTasks,
    navigation: SettingsNavigation,
    leadPages: LeadPageParts,
    panel: TasksPanel,
    overview: OverviewParts,
    summary: TasksSummary,
  ) {
    overview.add(summary);
    leadPages.addPanel(panel);
    timeline.add(part);
    handOvers.add(handOverTasks);
    navigation.add({ group: 'Sales', label: 'Tasks', path: ':mode/tasks', least: 'member', position: 4 });
  }
}
