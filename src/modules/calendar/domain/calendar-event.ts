import { type DomainEvent, domainEvent } from '../../../kernel/domain-event';
import { ValidationFailed } from '../../../kernel/errors';
import {
  type CalendarEventId,
  type LeadId,
  newId,
  type SpaceId,
  type WorkspaceId,
} from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { timeOfChange } from '../../../kernel/time';
import { type Schedule, scheduleOf, type WrittenSchedule } from './schedule';

export const EVENT_TYPES = ['visit', 'event', 'hold', 'block'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const EVENT_STATUSES = ['confirmed', 'cancelled'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** The fields of an event other than its time. */
interface EventFields {
  type: EventType;
  title: string;
  description: string | null;
  location: string | null;
  spaceIds: SpaceId[];
  leadId: LeadId | null;
  guests: number | null;
}

export type NewEvent = Pick<EventFields, 'type' | 'title'> & Partial<EventFields> & WrittenSchedule;
export type EventChanges = Partial<EventFields & WrittenSchedule & { status: EventStatus }>;

/** An event as the API and events contain it. `startsAt` and `endsAt` of all-day events are dates. */
export interface CalendarEventView extends EventFields {
  id: CalendarEventId;
  startsAt: Date | string;
  endsAt: Date | string;
  timeZone: string;
  allDay: boolean;
  /** The first of `spaceIds`. */
  spaceId: SpaceId | null;
  status: EventStatus;
  sequence: number;
  createdAt: Date;
  updatedAt: Date;
  revision: number;
}

/** An entry of the calendar: a site visit, an event, a hold for a possible booking, or a block that prevents bookings. */
export class CalendarEvent implements EventFields, Schedule {
  readonly workspaceId!: WorkspaceId;
  readonly mode!: Mode;
  readonly id!: CalendarEventId;
  type!: EventType;
  title!: string;
  description!: string | null;
  startsAt!: Date;
  endsAt!: Date;
  timeZone!: string;
  startDay!: string | null;
  endDay!: string | null;
  location!: string | null;
  spaceIds!: SpaceId[];
  leadId!: LeadId | null;
  guests!: number | null;
  status!: EventStatus;
  /** Counts the changes. Calendar programs recognise the latest version by it (RFC 5545 section 3.8.7.4). */
  sequence!: number;
  readonly createdAt!: Date;
  updatedAt!: Date;

  private constructor(fields: object) {
    Object.assign(this, fields);
  }

  static plan(
    { workspaceId, mode }: WorkspaceRef,
    fields: NewEvent,
    now: Date,
  ): { event: CalendarEvent; events: DomainEvent[] } {
    const { timeZone, allDay, startsAt, endsAt, ...rest } = fields;
    const event = new CalendarEvent({
      workspaceId,
      mode,
      id: newId('cal'),
      description: null,
      location: null,
      spaceIds: [],
      leadId: null,
      guests: null,
      ...rest,
      ...scheduleOf({ timeZone, allDay, startsAt, endsAt }),
      status: 'confirmed',
      sequence: 0,
      createdAt: now,
      updatedAt: now,
    });
    return { event, events: [event.tell('calendar_event.created')] };
  }

  /** Whether it has its spaces for itself. Holds and visits share them. */
  get takesSpaces(): boolean {
    return this.status === 'confirmed' && (this.type === 'event' || this.type === 'block');
  }

  /** Its occupancies change only when this does. */
  get claim(): string {
    const { takesSpaces, type, startsAt, endsAt, spaceIds } = this;
    return JSON.stringify(takesSpaces && { type, startsAt, endsAt, spaceIds });
  }

  /** A cancelled event takes no change but one that restores it. */
  isChangeableBy({ status }: Pick<EventChanges, 'status'>): boolean {
    return this.status !== 'cancelled' || status === 'confirmed';
  }

  /** Returns the events of the change: none if every value is the same. */
  update(changes: EventChanges, now: Date): DomainEvent[] {
    if (!this.isChangeableBy(changes)) {
      if (changes.status === 'cancelled' && Object.keys(given(changes)).length === 1) return [];
      throw new ValidationFailed({
        field: 'status',
        message: 'a cancelled event can’t be changed; set it to confirmed to restore the event',
      });
    }
    const before = this.view();
    const { timeZone, allDay, startsAt, endsAt, ...rest } = changes;
    Object.assign(this, given(rest), this.rescheduled({ timeZone, allDay, startsAt, endsAt }));
    const previous = differences(before, this.view());
    if (Object.keys(previous).length === 0) return [];
    this.sequence = before.sequence + 1;
    this.updatedAt = timeOfChange(before.updatedAt, now);
    return [
      this.tell(previous.status === 'confirmed' ? 'calendar_event.cancelled' : 'calendar_event.updated', {
        ...previous,
        sequence: before.sequence,
        updatedAt: before.updatedAt,
        revision: before.revision,
      }),
    ];
  }

  view(): CalendarEventView {
    const { id, type, title, description, timeZone, location, spaceIds, leadId, guests } = this;
    const { startsAt, endsAt, startDay, endDay, status, sequence, createdAt, updatedAt } = this;
    return {
      id,
      type,
      title,
      description,
      startsAt: startDay ?? startsAt,
      endsAt: endDay ?? endsAt,
      timeZone,
      allDay: startDay !== null,
      location,
      spaceId: spaceIds[0] ?? null,
      spaceIds,
      leadId,
      guests,
      status,
      sequence,
      createdAt,
      updatedAt,
      revision: revisionOf(sequence),
    };
  }

  /** Its schedule with the given fields replaced. */
  private rescheduled(changes: Partial<WrittenSchedule>): Schedule | undefined {
    if (Object.keys(given(changes)).length === 0) return undefined;
    const { startDay, endDay } = this;
    const { timeZone = this.timeZone, startsAt, endsAt, allDay } = changes;
    return scheduleOf({
      timeZone,
      allDay: allDay ?? (startsAt === undefined ? startDay !== null : undefined),
      startsAt: startsAt ?? startDay ?? this.startsAt.toISOString(),
      endsAt: endsAt ?? endDay ?? this.endsAt.toISOString(),
    });
  }

  private tell(type: string, previous?: object): DomainEvent {
    const workspace = { workspaceId: this.workspaceId, mode: this.mode };
    return domainEvent({ type, workspace, timestamp: this.updatedAt, data: this.view(), previous });
  }
}

/** Revisions count from 1, sequences from 0. */
function revisionOf(sequence: number): number {
  return sequence + 1;
}

/** Drops undefined fields. */
function given<Fields extends object>(fields: Fields): Partial<Fields> {
  const entries = Object.entries<unknown>(fields as Record<string, unknown>);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Partial<Fields>;
}

/** The former values of the changed fields. */
function differences(before: CalendarEventView, after: CalendarEventView): Partial<CalendarEventView> {
  const names = Object.keys(before) as (keyof CalendarEventView)[];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, before[name]]));
}
