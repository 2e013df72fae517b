import { Injectable } from '@nestjs/common';
import type { ActingRef } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import type { CalendarEventId } from '../../../kernel/ids';
import type { Precondition } from '../../../kernel/precondition';
import { HoldLead } from '../../leads';
import type { CalendarEvent, CalendarEventView, EventChanges } from '../domain/calendar-event';
import { CalendarEventPolicies, decide } from './calendar-event-policies';
import { CalendarEventRepository } from './calendar-event-repository';
import type { EventChangeInput } from './event-input';
import { LinkedRecords } from './linked-records';
import { RankedHolds } from './ranked-holds';
import { SpaceBooking } from './space-booking';

/** Changes, moves, cancels and restores events. */
@Injectable()
export class ChangeEvent {
  constructor(
    private readonly events: CalendarEventRepository,
    private readonly booking: SpaceBooking,
    private readonly linked: LinkedRecords,
    private readonly holdLead: HoldLead,
    private readonly policies: CalendarEventPolicies,
    private readonly holds: RankedHolds,
    private readonly clock: Clock,
  ) {}

  update(
    ref: ActingRef,
    id: CalendarEventId,
    { overHolds, ...input }: EventChangeInput,
    seen?: Precondition,
  ): Promise<CalendarEventView> {
    return this.booking.run(async () => {
      const event = await this.events.lock(ref, id);
      if (!event) throw new NotFound('calendar event');
      seen?.check(event.view());
      await this.refuseBesideHold(ref, event);
      const { claim: formerClaim, leadId: formerLead } = event;
      const changes = event.isChangeableBy(input) ? await this.decided(ref, event, input) : input;
      const told = event.update(await this.changesTo(event, changes), this.clock.now());
      if (told.length === 0) return event.view();
      const isReclaimed = event.claim !== formerClaim;
      const occupancies = isReclaimed ? await this.booking.claim(event, overHolds) : undefined;
      if (event.leadId && event.leadId !== formerLead) await this.holdLead.forTie(ref, event.leadId);
      await this.events.save(event, occupancies, told);
      return event.view();
    });
  }

  cancel(ref: ActingRef, id: CalendarEventId, seen?: Precondition): Promise<CalendarEventView> {
    return this.update(ref, id, { status: 'cancelled' }, seen);
  }

  /** It changes with its hold, and so does one whose hold has ended unconfirmed. */
  private async refuseBesideHold(ref: ActingRef, { id, type }: CalendarEvent): Promise<void> {
    const holdId = type === 'hold' && (await this.holds.keeper.beside(ref, id));
    if (!holdId) return;
    throw new ValidationFailed({
      field: 'holdId',
      message: `it belongs to the hold ${holdId}: change, confirm or release that`,
    });
  }

  private decided(ref: ActingRef, event: CalendarEvent, input: EventChangeInput): Promise<EventChangeInput> {
    return decide(input, (changes) => this.policies.beforeChange(ref, { event: event.view() }, changes));
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
