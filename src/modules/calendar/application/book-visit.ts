import { Injectable } from '@nestjs/common';
import type { ActingRef } from '../../../kernel/actor';
import { ValidationFailed } from '../../../kernel/errors';
import type { LeadId } from '../../../kernel/ids';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { ChangeLead, LeadQueries, type LeadView } from '../../leads';
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

  async execute(ref: ActingRef, leadId: LeadId, input: VisitInput): Promise<CalendarEventView> {
    // It isn't locked, because spaces are locked before leads. Planning locks it.
    const { name } = await this.requireActive(ref, leadId);
    try {
      return await this.unitOfWork.run(() => this.book(ref, leadId, input, name));
    } catch (error) {
      // Planning refuses a lead that was archived meanwhile as another field.
      if (error instanceof ValidationFailed) await this.requireActive(ref, leadId);
      throw error;
    }
  }

  private async requireActive(ref: ActingRef, leadId: LeadId): Promise<LeadView> {
    const lead = await this.leads.get(ref, leadId);
    if (!lead.archivedAt) return lead;
    throw new ValidationFailed({
      field: 'archivedAt',
      message: 'an archived lead gets no visit; restore it first',
    });
  }

  private async book(
    ref: ActingRef,
    leadId: LeadId,
    { title, ...input }: VisitInput,
    nameOfLead: string | null,
  ): Promise<CalendarEventView> {
    const visit = await this.planEvent.execute(ref, {
      ...input,
      type: 'visit',
      title: title ?? nameOfLead ?? 'Site visit',
      allDay: false,
      leadId,
    });
    // A policy may have given the visit to another lead, or to none.
    if (visit.leadId) await this.changeLead.advanceTo(ref, visit.leadId, 'visitBooked', visit.createdAt);
    return visit;
  }
}
