import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { UserId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { refusingStrangers } from './assignee';
import { TaskRepository } from './task-repository';

/** Gives the open tasks of a member who leaves to another member, or to nobody. */
@Injectable()
export class HandOverTasks {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Moves at most that many tasks, and returns how many: call it again until that is 0. Archived tasks stay. */
  handOver(ref: WorkspaceRef, fromUserId: UserId, toUserId: UserId | null, atMost: number): Promise<number> {
    if (fromUserId === toUserId) return Promise.resolve(0);
    return refusingStrangers(() =>
      this.unitOfWork.run(async () => {
        const tasks = await this.tasks.lockOpenOf(ref, fromUserId, atMost);
        for (const task of tasks) {
          // The due time stays, so no time zone is needed.
          const events = task.change({ assigneeId: toUserId }, { timeZone: 'UTC', now: this.clock.now() });
          await this.tasks.save(task, events);
        }
        return tasks.length;
      }),
    );
  }
}
