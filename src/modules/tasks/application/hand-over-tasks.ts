import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { HandOver } from '../../../kernel/hand-overs';
import type { UserId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Members } from '../../workspaces';
import { TaskRepository } from './task-repository';

/** Gives a leaving member's open tasks to another one, and the others to nobody. */
@Injectable()
export class HandOverTasks implements HandOver {
  readonly name = 'tasks';

  constructor(
    private readonly tasks: TaskRepository,
    private readonly members: Members,
    private readonly clock: Clock,
  ) {}

  async handOver(ref: WorkspaceRef, from: UserId, to: UserId | null, atMost: number): Promise<number> {
    const ids = await this.tasks.idsAssignedTo(ref, from, atMost);
    if (ids.length === 0) return 0;
    const tasks = await this.tasks.lockAssignedTo(ref, from, ids);
    const successor = to && tasks.length > 0 && (await this.members.hold(ref.workspaceId, to)) ? to : null;
    for (const task of tasks) await this.tasks.save(task, task.handOver(successor, this.clock.now()));
    return ids.length;
  }
}
