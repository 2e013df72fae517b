import { Injectable } from '@nestjs/common';
import type { ActingRef } from '../../../kernel/actor';
import { ValidationFailed } from '../../../kernel/errors';
import type { LeadId } from '../../../kernel/ids';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { ChangeLead, LeadQueries } from '../../leads';
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
    private readonly leads: LeadQueries,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute(ref: ActingRef, leadId: LeadId, { title, ...input }: VisitInput): Promise<CalendarEventView> {
    // It isn't locked, because spaces are locked before leads. Planning locks it, and refuses one that was archived meanwhile.
    const lead = await this.leads.get(ref, leadId);
    if (lead.archivedAt) {
      throw new ValidationFailed({
        field: 'archivedAt',
        message: 'an archived lead gets no visit; restore it first',
      });
    }
    return this.unitOfWork.run(async () => {
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
