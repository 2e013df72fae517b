import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { HandOver } from '../../../kernel/hand-overs';
import type { UserId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { TaskRepository } from './task-repository';

/** Gives the open tasks of a member who leaves to another member, or to nobody. Others stay, until they are nobody's. */
@Injectable()
export class HandOverTasks implements HandOver {
  readonly name = 'tasks';

  constructor(
    private readonly tasks: TaskRepository,
    private readonly clock: Clock,
  ) {}

  async handOver(ref: WorkspaceRef, from: UserId, to: UserId | null, atMost: number): Promise<number> {
    const tasks = await this.tasks.lockOpenOf(ref, from, atMost);
    const assigneeId = to && tasks.length > 0 && (await this.tasks.holdMember(ref, to)) ? to : null;
    for (const task of tasks) {
      // The due time stays, so no time zone is needed.
      const events = task.change({ assigneeId }, { timeZone: 'UTC', now: this.clock.now() });
      await this.tasks.save(task, events);
    }
    return tasks.length;
  }
}
