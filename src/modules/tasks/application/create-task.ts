import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { HoldLead } from '../../leads';
import { Members } from '../../workspaces';
import { type NewTask, Task, type TaskView } from '../domain/task';
import { refuseStranger } from './assignee';
import { TaskRepository } from './task-repository';
import { WorkspaceDays } from './workspace-days';

@Injectable()
export class CreateTask {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly members: Members,
    private readonly holdLead: HoldLead,
    private readonly days: WorkspaceDays,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** A task of a lead is refused if the lead is unknown or archived. */
  execute(ref: WorkspaceRef, fields: NewTask): Promise<TaskView> {
    return this.unitOfWork.run(async () => {
      const timeZone = await this.days.zoneFor(ref, fields.dueOn);
      const { task, events } = Task.open(ref, fields, { timeZone, now: this.clock.now() });
      if (task.leadId) await this.holdLead.forTie(ref, task.leadId);
      await refuseStranger(this.members, ref, task.assigneeId);
      await this.tasks.add(task, events);
      return task.view();
    });
  }
}
