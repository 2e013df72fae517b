import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { ValidationFailed } from '../../../kernel/errors';
import type { LeadId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { HoldLead } from '../../leads';
import { Activity, type ActivityView, type NewActivity } from '../domain/activity';
import { ActivityRepository } from './activity-repository';

@Injectable()
export class LogActivity {
  constructor(
    private readonly activities: ActivityRepository,
    private readonly holdLead: HoldLead,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Logs an activity of a lead. If the lead has one with that `externalId`, returns it unchanged. The lock of the lead lets
   * only one of two such requests log.
   */
  execute(ref: WorkspaceRef, actor: Actor, leadId: LeadId, fields: NewActivity): Promise<ActivityView> {
    const { activity, events } = Activity.log(ref, leadId, fields, actor, this.clock.now());
    const { externalId } = activity;
    return this.unitOfWork.run(async () => {
      const lead = await this.holdLead.execute(ref, leadId);
      const logged =
        externalId === null ? undefined : await this.activities.findByExternalId(ref, leadId, externalId);
      if (logged) return logged;
      if (lead.archivedAt) {
        throw new ValidationFailed({
          field: 'archivedAt',
          message: 'an archived lead gets no activity; restore it first',
        });
      }
      await this.activities.add(activity, events);
      return activity.view();
    });
  }
}
