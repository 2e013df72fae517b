import { Injectable } from '@nestjs/common';
import type { ActingRef } from '../../../kernel/actor';
import type { CalendarEventId, LeadId, SpaceId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { CalendarEvent, type EventChanges, type NewEvent } from '../domain/calendar-event';
import { type Occupancy, preparedIn } from '../domain/occupancy';
import type { Schedule } from '../domain/schedule';
import { CalendarEventPolicies } from './calendar-event-policies';
import { CalendarEventRepository } from './calendar-event-repository';
import { LinkedRecords, type SpaceInput } from './linked-records';
import { refusal, SpaceBooking } from './space-booking';
import { SpaceRepository } from './space-repository';
import { WorkspaceTimeZone } from './workspace-time-zone';

/** The spaces that a hold asks for. */
export interface SpacesAsked {
  readonly spaceIds: SpaceId[];
  /** With set-up and clearing. */
  readonly claims: Occupancy[];
}

/** A calendar event that changes, and when. */
export interface HeldEnd {
  readonly id: CalendarEventId;
  readonly at: Date;
}

/** A calendar event of type `hold` that has no rank. */
export interface UnrankedHold {
  readonly id: CalendarEventId;
  readonly title: string;
  readonly leadId: LeadId | null;
  readonly guests: number | null;
  readonly spaceIds: SpaceId[];
  readonly period: Schedule;
}

/** The calendar's part in holds: spaces, and the calendar event beside each hold. Holds keep the queue. */
@Injectable()
export class HeldSpaces {
  constructor(
    private readonly spaces: SpaceRepository,
    private readonly events: CalendarEventRepository,
    private readonly linked: LinkedRecords,
    private readonly booking: SpaceBooking,
    private readonly policies: CalendarEventPolicies,
    private readonly timeZone: WorkspaceTimeZone,
  ) {}

  timeZoneOf(ref: WorkspaceRef): Promise<string> {
    return this.timeZone.of(ref);
  }

  /** The names of spaces, archived ones included. */
  async names(ref: WorkspaceRef, ids: readonly SpaceId[]): Promise<ReadonlyMap<SpaceId, string>> {
    return new Map((await this.spaces.find(ref, ids)).map(({ id, name }) => [id, name]));
  }

  /** Runs `work`, which may confirm, as a unit of work. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.booking.run(work);
  }

  /**
   * Locks the spaces.
   *
   * @param known may be archived
   * @throws ValidationFailed for unknown and archived spaces
   */
  async ask(
    ref: WorkspaceRef,
    asked: SpaceInput,
    schedule: Schedule,
    known: readonly SpaceId[] = [],
  ): Promise<SpacesAsked> {
    const spaceIds = await this.linked.spacesOf(ref, asked, known);
    return { spaceIds, claims: preparedIn(await this.spaces.lock(ref, spaceIds), schedule) };
  }

  async lock(ref: WorkspaceRef, spaceIds: readonly SpaceId[]): Promise<void> {
    await this.spaces.lock(ref, spaceIds);
  }

  /**
   * Adds the calendar event beside a hold. Policies can refuse it; fields that they set are left alone.
   *
   * @throws ValidationFailed when an event or block takes one of the spaces
   */
  async add(ref: ActingRef, fields: Omit<NewEvent, 'type'>, claims: readonly Occupancy[], now: Date) {
    const hold: NewEvent = { ...fields, type: 'hold' };
    await this.policies.beforeCreate(ref, {}, hold);
    const { event, events } = CalendarEvent.plan(ref, hold, now);
    await this.refuseClash(event, claims);
    await this.events.add(event, [], events);
    return event.id;
  }

  /** Locks those that begin after an instant and have spaces, the longest planned first. */
  async lockUnranked(
    ref: WorkspaceRef,
    after: Date,
    ids: readonly CalendarEventId[] | undefined,
    atMost: number,
  ): Promise<UnrankedHold[]> {
    const events = await this.events.lockUnranked(ref, after, ids, atMost);
    return events.map(({ id, title, leadId, guests, spaceIds, ...event }) => {
      const { timeZone, startsAt, endsAt, startDay, endDay } = event;
      return {
        id,
        title,
        leadId,
        guests,
        spaceIds,
        period: { timeZone, startsAt, endsAt, startDay, endDay },
      };
    });
  }

  /**
   * Locks the spaces of such a hold, and returns what it asks for.
   *
   * @throws ValidationFailed as `add` does
   */
  async claimsOf(ref: WorkspaceRef, id: CalendarEventId): Promise<Occupancy[]> {
    const event = await this.require(ref, id);
    const claims = preparedIn(await this.spaces.lock(ref, event.spaceIds), event);
    await this.refuseClash(event, claims);
    return claims;
  }

  /** @throws ValidationFailed as `add` does, if `claims` are given */
  async change(
    ref: WorkspaceRef,
    id: CalendarEventId,
    changes: EventChanges,
    now: Date,
    claims?: readonly Occupancy[],
  ): Promise<void> {
    const event = await this.require(ref, id);
    const events = event.update(changes, now);
    if (claims) await this.refuseClash(event, claims);
    if (events.length > 0) await this.events.save(event, undefined, events);
  }

  /** The hold becomes an event, which takes its spaces. The database refuses it if another one has them. */
  async confirm(ref: ActingRef, id: CalendarEventId, claims: readonly Occupancy[], now: Date): Promise<void> {
    const event = await this.require(ref, id);
    await this.policies.beforeChange(ref, { event: event.view() }, { type: 'event' });
    const events = event.update({ type: 'event' }, now);
    await this.refuseClash(event, claims);
    await this.events.save(event, claims, events);
  }

  /** Cancels the calendar events of holds that ended. */
  async cancel(ref: WorkspaceRef, ended: readonly HeldEnd[]): Promise<void> {
    if (ended.length === 0) return;
    const times = new Map(ended.map(({ id, at }) => [id, at]));
    const events = await this.events.lockAll(ref, [...times.keys()]);
    const told = events.flatMap((event) => event.update({ status: 'cancelled' }, times.get(event.id)!));
    await this.events.saveUnclaimed(events, told);
  }

  private async require(ref: WorkspaceRef, id: CalendarEventId): Promise<CalendarEvent> {
    return (await this.events.lock(ref, id))!;
  }

  private async refuseClash(event: CalendarEvent, claims: readonly Occupancy[]): Promise<void> {
    const clashing = await this.events.clashing(event, claims);
    if (clashing.length > 0) throw refusal(event, clashing);
  }
}
