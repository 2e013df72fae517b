import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { CalendarEventId, HoldId, SpaceId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { type HeldTimes, NO_HOLDS } from '../domain/availability';
import type { EventType } from '../domain/calendar-event';
import type { CalendarRange } from '../domain/calendar-range';
import type { Occupancy } from '../domain/occupancy';

/** Where a live hold stands. */
export interface HoldStanding {
  readonly rank: number;
  /** By when it has to answer a challenge. */
  readonly answerBy: Date | null;
}

/** What the calendar asks of ranked holds. Without them, its `hold` events are unranked. */
export interface HoldKeeper {
  /** Ends holds that are due, so that what is read next leaves them out. */
  settle(ref: WorkspaceRef): Promise<void>;
  /** Locks the queue for `outbook`, before spaces are locked. */
  enter(ref: WorkspaceRef): Promise<void>;
  /** A few of the live holds that ask for one of the spaces at that time. */
  over(ref: WorkspaceRef, occupancies: readonly Occupancy[]): Promise<HoldId[]>;
  /** Ends all of them, because something else takes their place; false for more than can be ended at once. */
  outbook(ref: WorkspaceRef, occupancies: readonly Occupancy[]): Promise<boolean>;
  /** The hold beside a calendar event of type `hold`. */
  beside(ref: WorkspaceRef, eventId: CalendarEventId): Promise<HoldId | undefined>;
  /** Undefined for more than `atMost`. */
  times(
    ref: WorkspaceRef,
    range: CalendarRange,
    spaceIds: readonly SpaceId[],
    atMost: number,
  ): Promise<HeldTimes | undefined>;
  /** By calendar event, without those whose hold has ended. */
  standings(
    ref: WorkspaceRef,
    eventIds: readonly CalendarEventId[],
  ): Promise<ReadonlyMap<CalendarEventId, HoldStanding>>;
}

const nothing = () => Promise.resolve(undefined);

const WITHOUT_HOLDS: HoldKeeper = {
  settle: nothing,
  enter: nothing,
  over: () => Promise.resolve([]),
  outbook: () => Promise.resolve(true),
  beside: nothing,
  times: () => Promise.resolve(NO_HOLDS),
  standings: () => Promise.resolve(new Map<CalendarEventId, HoldStanding>()),
};

/** What was read of the calendar, and when something is to be done about a hold next; null without live holds. */
export interface Reading<Result> {
  readonly result: Result;
  readonly nextHoldAt: Date | null;
}

/** The ranked holds of the service. The module that keeps them names itself in its constructor, since it needs the calendar. */
@Injectable()
export class RankedHolds {
  keeper = WITHOUT_HOLDS;

  constructor(private readonly clock: Clock) {}

  use(keeper: HoldKeeper): void {
    this.keeper = keeper;
  }

  /**
   * Reads the calendar, and again if holds were due then. The reading itself tells that, so that workspaces without holds
   * pay for no statement more.
   */
  async settled<Result>(ref: WorkspaceRef, read: () => Promise<Reading<Result>>): Promise<Reading<Result>> {
    const reading = await read();
    if (!reading.nextHoldAt || reading.nextHoldAt > this.clock.now()) return reading;
    await this.keeper.settle(ref);
    return read();
  }

  /** The same entries, and where those stand that are beside a live hold. */
  async withStandings<Entry extends { readonly id: CalendarEventId; readonly type: EventType }>(
    ref: WorkspaceRef,
    entries: readonly Entry[],
  ): Promise<(Entry & { standing?: HoldStanding })[]> {
    const ids = entries.filter(({ type }) => type === 'hold').map(({ id }) => id);
    const standings = await this.keeper.standings(ref, ids);
    return entries.map((entry) => ({ ...entry, standing: standings.get(entry.id) }));
  }
}
