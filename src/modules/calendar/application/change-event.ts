import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import type { CalendarEventId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Precondition } from '../../../kernel/precondition';
import { HoldLead } from '../../leads';
import type { CalendarEvent, CalendarEventView, EventChanges } from '../domain/calendar-event';
import { CalendarEventRepository } from './calendar-event-repository';
import { LinkedRecords, type SpaceInput } from './linked-records';
import { SpaceBooking } from './space-booking';

interface EventChangeInput extends Omit<EventChanges, 'spaceIds'> {
  spaces?: SpaceInput;
}

/** Everything that changes an event that exists: moving, cancelling and restoring it too. */
@Injectable()
export class ChangeEvent {
  constructor(
    private readonly events: CalendarEventRepository,
    private readonly booking: SpaceBooking,
    private readonly linked: LinkedRecords,
    private readonly holdLead: HoldLead,
    private readonly clock: Clock,
  ) {}

  update(
    ref: WorkspaceRef,
    id: CalendarEventId,
    input: EventChangeInput,
    seen?: Precondition,
  ): Promise<CalendarEventView> {
    return this.booking.run(async () => {
      const event = await this.events.lock(ref, id);
      if (!event) throw new NotFound('calendar event');
      seen?.check(event.view());
      const { claim: formerClaim, leadId: formerLead } = event;
      const told = event.update(await this.changesTo(event, input), this.clock.now());
      if (told.length === 0) return event.view();
      const isReclaimed = event.claim !== formerClaim;
      const occupancies = isReclaimed ? await this.booking.claim(event) : undefined;
      if (event.leadId && event.leadId !== formerLead) await this.holdLead.forTie(ref, event.leadId);
      await this.events.save(event, occupancies, told);
      return event.view();
    });
  }

  cancel(ref: WorkspaceRef, id: CalendarEventId, seen?: Precondition): Promise<CalendarEventView> {
    return this.update(ref, id, { status: 'cancelled' }, seen);
  }

  private async changesTo(
    event: CalendarEvent,
    { spaces, ...rest }: EventChangeInput,
  ): Promise<EventChanges> {
    return {
      ...rest,
      ...(spaces && { spaceIds: await this.linked.spacesOf(event, spaces, event.spaceIds) }),
    };
  }
}
