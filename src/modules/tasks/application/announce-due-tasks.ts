import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { DueMails } from './due-mails';
import { TaskRepository } from './task-repository';

/** Limit the length of a transaction, and the rows that it keeps locked. */
export const BATCH = 200;
const OF_SAME_PEOPLE = 800;

/**
 * Announces tasks whose due time has come: by the event `task.due`, and by email to their assignees. Several instances may
 * do so at once. The lock of a task, the event and the record that it was announced are one transaction, so that each due
 * time is announced once, whenever a process dies.
 */
@Injectable()
export class AnnounceDueTasks {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly mails: DueMails,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Announces a batch, and returns how many tasks that were. */
  execute(): Promise<number> {
    return this.unitOfWork.run(async () => {
      const now = this.clock.now();
      const longestDue = await this.tasks.lockDue(now, BATCH);
      if (longestDue.length === 0) return 0;
      // One email tells a person of all.
      const others = await this.tasks.lockDueOfSamePeople(longestDue, now, OF_SAME_PEOPLE);
      const tasks = [...longestDue, ...others];
      const events = tasks.map((task) => task.announce(now));
      await this.tasks.saveAnnounced(tasks, events);
      await this.mails.add(tasks);
      return tasks.length;
    });
  }
}
