import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import type { DomainEvent } from '../../../kernel/domain-event';
import { NotFound } from '../../../kernel/errors';
import type { Precondition } from '../../../kernel/precondition';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { HoldLead } from '../../leads';
import { Members } from '../../workspaces';
import type { Task, TaskFields, TaskId, TaskView } from '../domain/task';
import { refuseStranger } from './assignee';
import { TaskRepository } from './task-repository';
import { WorkspaceDays } from './workspace-days';

@Injectable()
export class ChangeTask {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly members: Members,
    private readonly holdLead: HoldLead,
    private readonly days: WorkspaceDays,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** A task keeps its lead when that is archived, but can't be given an archived one. */
  update(
    ref: WorkspaceRef,
    id: TaskId,
    changes: Partial<TaskFields>,
    seen?: Precondition,
  ): Promise<TaskView> {
    const update = async (task: Task, now: Date) => {
      const { leadId: formerLead, assigneeId: formerAssignee } = task;
      const events = task.change(changes, { timeZone: await this.days.zoneFor(ref, changes.dueOn), now });
      if (task.leadId && task.leadId !== formerLead) await this.holdLead.forTie(ref, task.leadId);
      if (task.assigneeId !== formerAssignee) await refuseStranger(this.members, ref, task.assigneeId);
      return events;
    };
    return this.change(ref, id, update, seen);
  }

  complete(ref: WorkspaceRef, actor: Actor, id: TaskId, seen?: Precondition): Promise<TaskView> {
    return this.change(ref, id, (task, now) => task.complete(actor, now), seen);
  }

  reopen(ref: WorkspaceRef, id: TaskId, seen?: Precondition): Promise<TaskView> {
    return this.change(ref, id, (task, now) => task.reopen(now), seen);
  }

  archive(ref: WorkspaceRef, id: TaskId, seen?: Precondition): Promise<TaskView> {
    return this.change(ref, id, (task, now) => task.archive(now), seen);
  }

  restore(ref: WorkspaceRef, id: TaskId, seen?: Precondition): Promise<TaskView> {
    return this.change(ref, id, (task, now) => task.restore(now), seen);
  }

  private change(
    ref: WorkspaceRef,
    id: TaskId,
    apply: (task: Task, now: Date) => DomainEvent[] | Promise<DomainEvent[]>,
    seen?: Precondition,
  ): Promise<TaskView> {
    return this.unitOfWork.run(async () => {
      const task = await this.tasks.lock(ref, id);
      if (!task) throw new NotFound('task');
      seen?.check(task.view());
      const events = await apply(task, this.clock.now());
      if (events.length) await this.tasks.save(task, events);
      return task.view();
    });
  }
}
