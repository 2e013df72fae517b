import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import type { CalendarEventId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Precondition } from '../../../kernel/precondition';
import type { CalendarEvent, CalendarEventView, EventChanges } from '../domain/calendar-event';
import { CalendarEventRepository } from './calendar-event-repository';
import { EventTies, type SpaceWish } from './event-ties';
import { SpaceBooking } from './space-booking';

export interface EventChangeWish extends Omit<EventChanges, 'spaceIds' | 'leadId'> {
  spaces?: SpaceWish;
  leadId?: string | null;
}

/** Everything that changes an event that exists: moving, cancelling and restoring it too. */
@Injectable()
export class ChangeEvent {
  constructor(
    private readonly events: CalendarEventRepository,
    private readonly booking: SpaceBooking,
    private readonly ties: EventTies,
    private readonly clock: Clock,
  ) {}

  update(
    ref: WorkspaceRef,
    id: CalendarEventId,
    wish: EventChangeWish,
    seen?: Precondition,
  ): Promise<CalendarEventView> {
    return this.booking.run(async () => {
      const event = await this.events.lock(ref, id);
      if (!event) throw new NotFound('calendar event');
      seen?.check(event.view());
      const formerClaim = event.claim;
      const told = event.update(await this.changesTo(event, wish), this.clock.now());
      if (told.length === 0) return event.view();
      const isReclaimed = event.claim !== formerClaim;
      await this.events.save(event, isReclaimed ? await this.booking.claim(event) : undefined, told);
      return event.view();
    });
  }

  cancel(ref: WorkspaceRef, id: CalendarEventId, seen?: Precondition): Promise<CalendarEventView> {
    return this.update(ref, id, { status: 'cancelled' }, seen);
  }

  private async changesTo(
    event: CalendarEvent,
    { spaces, leadId, ...rest }: EventChangeWish,
  ): Promise<EventChanges> {
    const isOtherLead = typeof leadId === 'string' && leadId !== event.leadId;
    return {
      ...rest,
      ...(spaces && { spaceIds: await this.ties.spacesOf(event, spaces, event.spaceIds) }),
      ...(isOtherLead && { leadId: await this.ties.lead(event, leadId) }),
      ...(leadId === null && { leadId }),
    };
  }
}
