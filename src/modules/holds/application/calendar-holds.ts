import { Injectable } from '@nestjs/common';
import type { CalendarEventId, HoldId, SpaceId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { CalendarRange, HeldTimes, HoldKeeper, HoldStanding, Occupancy } from '../../calendar';
import { EndHolds } from './end-holds';
import { HoldRepository } from './hold-repository';
import { SettleHolds } from './settle-holds';

/** Enough to name in an error. */
const NAMED = 10;

/** Answers the calendar about ranked holds. */
@Injectable()
export class CalendarHolds implements HoldKeeper {
  constructor(
    private readonly holds: HoldRepository,
    private readonly settleHolds: SettleHolds,
    private readonly endHolds: EndHolds,
  ) {}

  async settle(ref: WorkspaceRef): Promise<void> {
    await this.settleHolds.execute(ref);
  }

  async enter(ref: WorkspaceRef): Promise<void> {
    await this.holds.openQueue(ref);
  }

  over(ref: WorkspaceRef, occupancies: readonly Occupancy[]): Promise<HoldId[]> {
    return this.holds.over(ref, occupancies, NAMED);
  }

  outbook(ref: WorkspaceRef, occupancies: readonly Occupancy[]): Promise<boolean> {
    return this.endHolds.outbook(ref, occupancies);
  }

  beside(ref: WorkspaceRef, eventId: CalendarEventId): Promise<HoldId | undefined> {
    return this.holds.beside(ref, eventId);
  }

  async times(
    ref: WorkspaceRef,
    range: CalendarRange,
    spaceIds: readonly SpaceId[],
    atMost: number,
  ): Promise<HeldTimes | undefined> {
    const times = await this.holds.times(ref, range, spaceIds, atMost);
    if (!times) return undefined;
    return { times, maxRank: times.length === 0 ? Infinity : (await this.holds.policy(ref)).maxRank };
  }

  standings(
    ref: WorkspaceRef,
    eventIds: readonly CalendarEventId[],
  ): Promise<ReadonlyMap<CalendarEventId, HoldStanding>> {
    return this.holds.standings(ref, eventIds);
  }
}
