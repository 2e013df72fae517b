import { Injectable } from '@nestjs/common';
import type { HoldId } from '../../../kernel/ids';
import type { Precondition } from '../../../kernel/precondition';
import type { WorkspaceRef } from '../../../kernel/principal';
import { HeldSpaces, type Schedule, scheduleOf, type SpaceInput } from '../../calendar';
import { HoldLead } from '../../leads';
import { expiryOf } from '../domain/deadlines';
import type { Claim, Hold, HoldDetails } from '../domain/hold';
import type { HoldView } from '../domain/hold-view';
import { HoldQueues, type Subject } from './hold-queues';
import { HoldRepository } from './hold-repository';
import { type HoldInput, refusePast } from './place-hold';

export interface HoldChangeInput
  extends Partial<HoldDetails>, Partial<Omit<HoldInput, keyof HoldDetails | 'spaces'>> {
  spaces?: SpaceInput;
}

/** The spaces and time that a change gives a hold. */
interface Target {
  readonly period: Schedule;
  readonly spaceIds: Hold['spaceIds'];
  readonly claims: readonly Claim[];
  /** It takes another place in the queue. */
  readonly position?: number;
}

/**
 * Changes holds. Another period or other spaces mean a new place at the end of the queue, unless they are a part of the
 * former ones.
 */
@Injectable()
export class ChangeHold {
  constructor(
    private readonly holds: HoldRepository,
    private readonly queues: HoldQueues,
    private readonly spaces: HeldSpaces,
    private readonly holdLead: HoldLead,
  ) {}

  execute(ref: WorkspaceRef, id: HoldId, input: HoldChangeInput, seen?: Precondition): Promise<HoldView> {
    return this.queues.change(ref, id, seen, async (subject) => {
      const { hold, queue, now, policy } = subject;
      hold.requireLive(now);
      const target = await this.target(ref, subject, input);
      if (input.group !== hold.group) await this.queues.refuseFullGroup(ref, input.group);
      if (input.leadId && input.leadId !== hold.leadId) {
        await this.queues.refuseFullLead(ref, input.leadId, now);
        await this.holdLead.forTie(ref, input.leadId);
      }
      const details = detailsOf(input);
      const placedAt = target?.position === undefined ? hold.placedAt : now;
      const startsAt = target?.period.startsAt ?? hold.startsAt;
      const expiresAt =
        input.expiresAt &&
        expiryOf(input.expiresAt, await this.spaces.timeZoneOf(ref), { placedAt, startsAt, now }, policy);
      const apply = () => {
        if (target) moveTo(hold, target, now);
        Object.assign(hold, details, expiresAt && { expiresAt });
      };
      const events = queue.act({ at: now, subjects: [hold], type: 'hold.updated', apply });
      if (events.length > 0) await this.changeCalendar(ref, hold, now, target);
      return events;
    });
  }

  private async target(
    ref: WorkspaceRef,
    { hold, queue, now, policy }: Subject,
    input: HoldChangeInput,
  ): Promise<Target | undefined> {
    const period = rescheduled(hold, input);
    const asked = input.spaces ?? { field: 'spaceIds', ids: hold.spaceIds };
    if (isSame(period, hold) && isSame([...new Set(asked.ids)], hold.spaceIds)) return undefined;
    refusePast(period.startsAt, now);
    const { spaceIds, claims } = await this.spaces.ask(ref, asked, period, hold.spaceIds);
    if (claims.every((claim) => hold.claims.some((former) => isWithin(claim, former)))) {
      return { period, spaceIds, claims };
    }
    const field = input.spaces?.field ?? (spaceIds.length > 1 ? 'spaceIds' : 'spaceId');
    await this.queues.joined(ref, { claims, field, queue, moved: hold }, policy);
    return { period, spaceIds, claims, position: await this.holds.takePosition(ref) };
  }

  private changeCalendar(ref: WorkspaceRef, hold: Hold, now: Date, target?: Target): Promise<void> {
    const { title, leadId, guests, spaceIds, timeZone, startDay, endDay, startsAt, endsAt } = hold;
    const schedule = {
      timeZone,
      allDay: startDay !== null,
      startsAt: startDay ?? startsAt.toISOString(),
      endsAt: endDay ?? endsAt.toISOString(),
    };
    const changes = { title, leadId, guests, ...(target && { spaceIds, ...schedule }) };
    return this.spaces.change(ref, hold.calendarEventId, changes, now, target?.claims);
  }
}

function moveTo(hold: Hold, { position, ...target }: Target, now: Date): void {
  if (position === undefined) hold.narrow(target);
  else hold.move({ ...target, position }, now);
}

/** Its schedule with the given fields replaced. */
function rescheduled(hold: Hold, { timeZone, startsAt, endsAt, allDay }: HoldChangeInput): Schedule {
  const { startDay, endDay } = hold;
  return scheduleOf({
    timeZone: timeZone ?? hold.timeZone,
    allDay: allDay ?? (startsAt === undefined ? startDay !== null : undefined),
    startsAt: startsAt ?? startDay ?? hold.startsAt.toISOString(),
    endsAt: endsAt ?? endDay ?? hold.endsAt.toISOString(),
  });
}

function isWithin(claim: Claim, former: Claim): boolean {
  return claim.spaceId === former.spaceId && claim.from >= former.from && claim.to <= former.to;
}

function isSame(one: Schedule | readonly string[], other: Schedule | readonly string[]): boolean {
  return JSON.stringify(comparable(one)) === JSON.stringify(comparable(other));
}

function comparable(value: Schedule | readonly string[]): unknown {
  if (!('startsAt' in value)) return value;
  const { timeZone, startsAt, endsAt, startDay, endDay } = value;
  return [timeZone, startsAt, endsAt, startDay, endDay];
}

function detailsOf({ title, leadId, guests, notes, group }: HoldChangeInput): Partial<HoldDetails> {
  const given = Object.entries({ title, leadId, guests, notes, group });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
