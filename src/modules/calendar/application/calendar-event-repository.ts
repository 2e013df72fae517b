import type { DomainEvent } from '../../../kernel/domain-event';
import type { CalendarEventId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { CalendarEvent } from '../domain/calendar-event';
import type { Occupancy } from '../domain/occupancy';

/** The database refused an overlapping event. The transaction can't be continued. */
export class SpacesTaken extends Error {
  constructor(
    readonly event: CalendarEvent,
    readonly occupancies: readonly Occupancy[],
  ) {
    super('A space is taken at that time.');
  }
}

/** What stands in the way of a booking. */
export interface Obstacles {
  /** A few of the other events that occupy the same spaces at the same time. */
  readonly clashing: CalendarEventId[];
  /** Whether live ranked holds ask for them. */
  readonly isHeld: boolean;
}

export abstract class CalendarEventRepository {
  /** @throws SpacesTaken when another event has one of the spaces at that time */
  abstract add(event: CalendarEvent, occupancies: readonly Occupancy[], events: DomainEvent[]): Promise<void>;
  /** Reads an event and locks it until the unit of work ends. */
  abstract lock(ref: WorkspaceRef, id: CalendarEventId): Promise<CalendarEvent | undefined>;
  /**
   * Writes a locked event, and replaces its occupancies if they are given.
   *
   * @throws SpacesTaken as `add` does
   */
  abstract save(
    event: CalendarEvent,
    occupancies: readonly Occupancy[] | undefined,
    events: DomainEvent[],
  ): Promise<void>;
  /** The same for several events, in the order of their ids. */
  abstract lockAll(ref: WorkspaceRef, ids: readonly CalendarEventId[]): Promise<CalendarEvent[]>;
  /**
   * Locks confirmed events of type `hold` that have spaces, no rank, and begin after an instant; the longest planned first.
   *
   * @param ids those alone, or all if undefined
   */
  abstract lockUnranked(
    ref: WorkspaceRef,
    after: Date,
    ids: readonly CalendarEventId[] | undefined,
    atMost: number,
  ): Promise<CalendarEvent[]>;
  /** Writes locked events that have no occupancies, neither before nor now. */
  abstract saveUnclaimed(events: readonly CalendarEvent[], told: readonly DomainEvent[]): Promise<void>;
  /** A few of the other events that occupy the same spaces at the same time. */
  abstract clashing(event: CalendarEvent, occupancies: readonly Occupancy[]): Promise<CalendarEventId[]>;
  abstract obstacles(event: CalendarEvent, occupancies: readonly Occupancy[]): Promise<Obstacles>;
}
