import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import { type Page, pageOf, type PageRequest } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { daysBetween } from '../domain/due';
import type { TaskId, TaskView } from '../domain/task';
import { type TaskFilter, TaskRepository, type TaskSortField } from './task-repository';
import { WorkspaceDays } from './workspace-days';

export interface TaskListInput extends Pick<TaskFilter, 'leadId' | 'assigneeId' | 'status' | 'archived'> {
  /** Inclusive days in the workspace's time zone. */
  dueFrom?: string;
  dueTo?: string;
  overdue?: boolean;
}

@Injectable()
export class TaskQueries {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly days: WorkspaceDays,
    private readonly clock: Clock,
  ) {}

  async get(ref: WorkspaceRef, id: TaskId): Promise<TaskView> {
    const task = await this.tasks.find(ref, id);
    if (!task) throw new NotFound('task');
    return task;
  }

  async list(
    ref: WorkspaceRef,
    { dueFrom, dueTo, overdue, ...others }: TaskListInput,
    request: PageRequest<TaskSortField>,
  ): Promise<Page<TaskView>> {
    const zone = await this.days.zoneFor(ref, dueFrom, dueTo);
    const { from, before } = daysBetween({ from: dueFrom, to: dueTo }, zone);
    const filter: TaskFilter = {
      ...others,
      dueFrom: from,
      dueBefore: before,
      ...(overdue !== undefined && { overdue: { is: overdue, now: this.clock.now() } }),
    };
    const slice = await this.tasks.list(ref, filter, request);
    const page = pageOf(request, slice, ({ view, announcedFrom }) => {
      const time = request.sort.field === 'due' ? announcedFrom : view.createdAt;
      return { value: time && time.toISOString(), id: view.id };
    });
    return { ...page, data: page.data.map(({ view }) => view) };
  }
}
