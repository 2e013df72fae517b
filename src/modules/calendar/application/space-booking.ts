import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../../kernel/errors';
import type { CalendarEventId, HoldId } from '../../../kernel/ids';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { CalendarEvent } from '../domain/calendar-event';
import { clashMessage, type Occupancy, occupanciesOf } from '../domain/occupancy';
import { CalendarEventRepository, SpacesTaken } from './calendar-event-repository';
import { RankedHolds } from './ranked-holds';
import { SpaceRepository } from './space-repository';

/**
 * Books spaces. Requests for a space wait for the lock of its row, so that all but the first see the booking and can name
 * it, without deadlocks. The database's exclusion constraint also refuses writes that didn't take the lock.
 */
@Injectable()
export class SpaceBooking {
  constructor(
    private readonly spaces: SpaceRepository,
    private readonly events: CalendarEventRepository,
    private readonly holds: RankedHolds,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Runs `work`, which books spaces, as a unit of work. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.unitOfWork.run(work);
    } catch (error) {
      if (!(error instanceof SpacesTaken)) throw error;
      throw refusal(error.event, await this.events.clashing(error.event, error.occupancies));
    }
  }

  /**
   * The event's occupancies, after checking that no other event has them. Ranked holds keep them too, unless `overHolds`: then
   * they end.
   */
  async claim(event: CalendarEvent, overHolds = false): Promise<Occupancy[]> {
    if (!event.takesSpaces || event.spaceIds.length === 0) return [];
    const { keeper } = this.holds;
    await keeper.enter(event, overHolds);
    const occupancies = occupanciesOf(event, await this.spaces.lock(event, event.spaceIds));
    const clashing = await this.events.clashing(event, occupancies);
    if (clashing.length > 0) throw refusal(event, clashing);
    const holds = await keeper.over(event, occupancies);
    if (holds.length > 0) {
      if (!overHolds) throw heldRefusal(event, holds);
      await keeper.outbook(event, occupancies);
    }
    return occupancies;
  }
}

export function refusal({ spaceIds }: CalendarEvent, clashing: readonly CalendarEventId[]): ValidationFailed {
  return new ValidationFailed({ field: fieldOf(spaceIds), message: clashMessage(clashing) });
}

function heldRefusal({ spaceIds }: CalendarEvent, holds: readonly HoldId[]): ValidationFailed {
  return new ValidationFailed({
    field: fieldOf(spaceIds),
    message: `is held at that time by ${holds.join(', ')}; set-up and clearing count. Confirm one of them, or send overHolds: true to end them`,
  });
}

function fieldOf(spaceIds: readonly unknown[]): 'spaceId' | 'spaceIds' {
  return spaceIds.length > 1 ? 'spaceIds' : 'spaceId';
}
