import { Injectable } from '@nestjs/common';
import type { ActingRef } from '../../../kernel/actor';
import { ValidationFailed } from '../../../kernel/errors';
import type { LeadId } from '../../../kernel/ids';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { ChangeLead, HoldLead } from '../../leads';
import type { CalendarEventView } from '../domain/calendar-event';
import type { EventInput } from './event-input';
import { PlanEvent } from './plan-event';

export interface VisitInput extends Omit<EventInput, 'type' | 'title' | 'leadId' | 'allDay'> {
  /** Named after the lead when absent. */
  title?: string;
}

/** Plans a site visit of a lead. */
@Injectable()
export class BookVisit {
  constructor(
    private readonly planEvent: PlanEvent,
    private readonly changeLead: ChangeLead,
    private readonly holdLead: HoldLead,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute(ref: ActingRef, leadId: LeadId, { title, ...input }: VisitInput): Promise<CalendarEventView> {
    return this.unitOfWork.run(async () => {
      const lead = await this.holdLead.execute(ref, leadId);
      if (lead.archivedAt) {
        throw new ValidationFailed({
          field: 'archivedAt',
          message: 'an archived lead gets no visit; restore it first',
        });
      }
      const visit = await this.planEvent.execute(ref, {
        ...input,
        type: 'visit',
        title: title ?? lead.name ?? 'Site visit',
        allDay: false,
        leadId,
      });
      // A policy may have given the visit to another lead, or to none.
      if (visit.leadId) await this.changeLead.advanceTo(ref, visit.leadId, 'visitBooked', visit.createdAt);
      return visit;
    });
  }
}
