import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import type { Precondition } from '../../../kernel/precondition';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { Activity, type ActivityFields, type ActivityView } from '../domain/activity';
import { type ActivityKey, ActivityRepository } from './activity-repository';

/** Corrects and deletes activities, those of archived leads too. */
@Injectable()
export class ChangeActivity {
  constructor(
    private readonly activities: ActivityRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async update(
    ref: WorkspaceRef,
    key: ActivityKey,
    changes: Partial<ActivityFields>,
    seen?: Precondition,
  ): Promise<ActivityView> {
    // A time that can't be right is refused before anybody learns whether there is such an activity.
    Activity.refuseFuture(changes, this.clock.now());
    return this.unitOfWork.run(async () => {
      const activity = await this.lock(ref, key, seen);
      const events = activity.change(changes, this.clock.now());
      if (events.length) await this.activities.save(activity, events);
      return activity.view();
    });
  }

  /** Returns the activity as it was. */
  delete(ref: WorkspaceRef, key: ActivityKey, seen?: Precondition): Promise<ActivityView> {
    return this.unitOfWork.run(async () => {
      const activity = await this.lock(ref, key, seen);
      await this.activities.remove(activity, [activity.delete(this.clock.now())]);
      return activity.view();
    });
  }

  private async lock(ref: WorkspaceRef, key: ActivityKey, seen?: Precondition): Promise<Activity> {
    const activity = await this.activities.lock(ref, key);
    if (!activity) throw new NotFound('activity');
    seen?.check(activity.view());
    return activity;
  }
}
