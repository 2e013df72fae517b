import type { DomainEvent } from '../../../kernel/domain-event';
import type { CalendarEventId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { CalendarEvent } from '../domain/calendar-event';
import type { Occupancy } from '../domain/occupancy';

/** The database refused what would have overlapped; the transaction is lost. */
export class SpacesTaken extends Error {
  constructor(
    readonly event: CalendarEvent,
    readonly occupancies: readonly Occupancy[],
  ) {
    super('A space is taken at that time.');
  }
}

export abstract class CalendarEventRepository {
  /** Throws SpacesTaken when another event has one of the spaces at that time. */
  abstract add(event: CalendarEvent, occupancies: readonly Occupancy[], events: DomainEvent[]): Promise<void>;
  /** Reads an event and keeps others from changing it until the unit of work ends. */
  abstract lock(ref: WorkspaceRef, id: CalendarEventId): Promise<CalendarEvent | undefined>;
  /** Writes an event that was locked, and instead of what it occupied these, if they are given; throws as `add` does. */
  abstract save(
    event: CalendarEvent,
    occupancies: readonly Occupancy[] | undefined,
    events: DomainEvent[],
  ): Promise<void>;
  /** Which others occupy any of that: a few of them. */
  abstract clashing(event: CalendarEvent, occupancies: readonly Occupancy[]): Promise<CalendarEventId[]>;
}
