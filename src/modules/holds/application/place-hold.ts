import { Injectable } from '@nestjs/common';
import type { ActingRef } from '../../../kernel/actor';
import { ValidationFailed } from '../../../kernel/errors';
import { HeldSpaces, scheduleOf, type SpaceInput, type WrittenSchedule } from '../../calendar';
import { HoldLead } from '../../leads';
import { defaultExpiry, expiryOf } from '../domain/deadlines';
import { Hold, type HoldDetails } from '../domain/hold';
import { HoldQueue } from '../domain/hold-queue';
import type { HoldView } from '../domain/hold-view';
import { HoldQueues } from './hold-queues';
import { HoldRepository } from './hold-repository';

export interface HoldInput extends Partial<HoldDetails> {
  title: string;
  spaces: SpaceInput;
  startsAt: string;
  endsAt?: string;
  allDay?: boolean;
  timeZone?: string;
  /** An RFC 3339 instant, or a day of the workspace, at whose end it expires. */
  expiresAt?: string;
}

/** Places a hold at the end of the queue for its spaces and time. */
@Injectable()
export class PlaceHold {
  constructor(
    private readonly holds: HoldRepository,
    private readonly queues: HoldQueues,
    private readonly spaces: HeldSpaces,
    private readonly holdLead: HoldLead,
  ) {}

  /** @throws ValidationFailed for a queue that is full, and spaces that something else takes, among others */
  execute(ref: ActingRef, input: HoldInput): Promise<HoldView> {
    return this.queues.run(ref, async ({ now, policy }) => {
      const zone = await this.spaces.timeZoneOf(ref);
      const { title, leadId = null, guests = null, notes = null, group = null } = input;
      const written = writtenSchedule(input, zone);
      const period = scheduleOf(written);
      refusePast(period.startsAt, now);
      const term = { placedAt: now, startsAt: period.startsAt, now };
      const expiresAt =
        input.expiresAt === undefined
          ? defaultExpiry(term, policy)
          : expiryOf(input.expiresAt, zone, term, policy);
      const { spaceIds, claims } = await this.spaces.ask(ref, input.spaces, period);
      const queue = new HoldQueue([], policy);
      await this.queues.joined(ref, { claims, field: input.spaces.field, queue }, policy);
      await this.queues.refuseFullGroup(ref, group);
      if (leadId) {
        await this.queues.refuseFullLead(ref, leadId, now);
        await this.holdLead.forTie(ref, leadId);
      }
      const beside = { ...written, title, leadId, guests, spaceIds };
      const calendarEventId = await this.spaces.add(ref, beside, claims, now);
      const position = await this.holds.takePosition(ref);
      const details = { title, leadId, guests, notes, group };
      const hold = Hold.place(
        ref,
        { ...details, spaceIds, period, claims, position, expiresAt, calendarEventId },
        now,
      );
      await this.holds.add(hold, queue.placed(hold));
      return queue.view(hold);
    });
  }
}

export function writtenSchedule(
  { startsAt, endsAt, allDay, timeZone }: Pick<HoldInput, 'startsAt' | 'endsAt' | 'allDay' | 'timeZone'>,
  zone: string,
): WrittenSchedule {
  return { startsAt, endsAt, allDay, timeZone: timeZone ?? zone };
}

export function refusePast(startsAt: Date, now: Date): void {
  if (startsAt > now) return;
  throw new ValidationFailed({ field: 'startsAt', message: 'is in the past: hold a time that is to come' });
}
