import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { WorkspaceRef } from '../../../kernel/principal';
import { HoldLead } from '../../leads';
import { CalendarEvent, type CalendarEventView, type NewEvent } from '../domain/calendar-event';
import { CalendarEventRepository } from './calendar-event-repository';
import { LinkedRecords, type SpaceInput } from './linked-records';
import { SpaceBooking } from './space-booking';
import { WorkspaceTimeZone } from './workspace-time-zone';

export interface EventInput extends Omit<NewEvent, 'timeZone' | 'spaceIds'> {
  /** The workspace's when absent. */
  timeZone?: string;
  spaces?: SpaceInput;
}

@Injectable()
export class PlanEvent {
  constructor(
    private readonly events: CalendarEventRepository,
    private readonly booking: SpaceBooking,
    private readonly linked: LinkedRecords,
    private readonly holdLead: HoldLead,
    private readonly workspaceTimeZone: WorkspaceTimeZone,
    private readonly clock: Clock,
  ) {}

  execute(ref: WorkspaceRef, { spaces, ...input }: EventInput): Promise<CalendarEventView> {
    return this.booking.run(async () => {
      const { event, events } = CalendarEvent.plan(
        ref,
        {
          ...input,
          timeZone: input.timeZone ?? (await this.workspaceTimeZone.of(ref)),
          spaceIds: spaces ? await this.linked.spacesOf(ref, spaces) : [],
        },
        this.clock.now(),
      );
      const occupancies = await this.booking.claim(event);
      if (event.leadId) await this.holdLead.forTie(ref, event.leadId);
      await this.events.add(event, occupancies, events);
      return event.view();
    });
  }
}
