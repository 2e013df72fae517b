import { Injectable } from '@nestjs/common';
import type { ActingRef } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { HoldLead } from '../../leads';
import { CalendarEvent, type CalendarEventView } from '../domain/calendar-event';
import { CalendarEventPolicies, decide } from './calendar-event-policies';
import { CalendarEventRepository } from './calendar-event-repository';
import type { EventInput } from './event-input';
import { LinkedRecords } from './linked-records';
import { SpaceBooking } from './space-booking';
import { WorkspaceTimeZone } from './workspace-time-zone';

@Injectable()
export class PlanEvent {
  constructor(
    private readonly events: CalendarEventRepository,
    private readonly booking: SpaceBooking,
    private readonly linked: LinkedRecords,
    private readonly holdLead: HoldLead,
    private readonly policies: CalendarEventPolicies,
    private readonly workspaceTimeZone: WorkspaceTimeZone,
    private readonly clock: Clock,
  ) {}

  execute(ref: ActingRef, { overHolds, ...given }: EventInput): Promise<CalendarEventView> {
    return this.booking.run(async () => {
      const { spaces, ...input } = await decide(given, (fields) =>
        this.policies.beforeCreate(ref, {}, fields),
      );
      const { event, events } = CalendarEvent.plan(
        ref,
        {
          ...input,
          timeZone: input.timeZone ?? (await this.workspaceTimeZone.of(ref)),
          spaceIds: spaces ? await this.linked.spacesOf(ref, spaces) : [],
        },
        this.clock.now(),
      );
      const occupancies = await this.booking.claim(event, overHolds);
      if (event.leadId) await this.holdLead.forTie(ref, event.leadId);
      await this.events.add(event, occupancies, events);
      return event.view();
    });
  }
}
