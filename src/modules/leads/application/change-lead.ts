import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { DomainEvent } from '../../../kernel/domain-event';
import { NotFound } from '../../../kernel/errors';
import type { LeadId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { Precondition } from '../../../kernel/precondition';
import { later } from '../../../kernel/time';
import type { Lead, LeadFields, LeadView, Stage } from '../domain/lead';
import { LeadRepository } from './lead-repository';

/** Everything that changes a lead that exists: one change at a time, so that of two at once neither is lost. */
@Injectable()
export class ChangeLead {
  constructor(
    private readonly leads: LeadRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  update(
    ref: WorkspaceRef,
    id: LeadId,
    changes: Partial<LeadFields>,
    seen?: Precondition,
  ): Promise<LeadView> {
    return this.change(ref, id, (lead, now) => lead.update(changes, now), seen);
  }

  /** For what happens around a lead, such as a proposal that is sent at `cause`: the lead's events are no earlier. */
  advance(ref: WorkspaceRef, id: LeadId, stage: Stage, cause?: Date): Promise<LeadView> {
    return this.change(ref, id, (lead, now) => lead.advance(stage, later(now, cause ?? now)));
  }

  archive(ref: WorkspaceRef, id: LeadId, seen?: Precondition): Promise<LeadView> {
    return this.change(ref, id, (lead, now) => lead.archive(now), seen);
  }

  restore(ref: WorkspaceRef, id: LeadId, seen?: Precondition): Promise<LeadView> {
    return this.change(ref, id, (lead, now) => lead.restore(now), seen);
  }

  private change(
    ref: WorkspaceRef,
    id: LeadId,
    apply: (lead: Lead, now: Date) => DomainEvent[],
    seen?: Precondition,
  ): Promise<LeadView> {
    return this.unitOfWork.run(async () => {
      const lead = await this.leads.lock(ref, id);
      if (!lead) throw new NotFound('lead');
      seen?.check(lead.view());
      const events = apply(lead, this.clock.now());
      if (events.length) await this.leads.save(lead, events);
      return lead.view();
    });
  }
}
