import { Injectable } from '@nestjs/common';
import { type FieldProblem, ValidationFailed } from '../../../kernel/errors';
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
    if (overHolds) await this.holds.keeper.enter(event);
    const { spaces, hasQueue } = await this.spaces.lockWithQueue(event, event.spaceIds);
    const occupancies = occupanciesOf(event, spaces);
    const { clashing, isHeld } = await this.events.obstacles(event, occupancies);
    if (clashing.length > 0) throw refusal(event, clashing);
    if (isHeld) await this.clear(event, occupancies, { overHolds, hasQueue });
    return occupancies;
  }

  /**
   * @param hasQueue whether its lock was taken before those of the spaces: a queue that was opened meanwhile may not be
   *   changed any more
   */
  private async clear(
    event: CalendarEvent,
    occupancies: readonly Occupancy[],
    { overHolds, hasQueue }: { overHolds: boolean; hasQueue: boolean },
  ): Promise<void> {
    const { keeper } = this.holds;
    if (hasQueue) await keeper.settle(event);
    const holds = await keeper.over(event, occupancies);
    if (holds.length === 0) return;
    if (!overHolds) throw heldRefusal(event, holds);
    if (!(await keeper.outbook(event, occupancies))) throw tooManyHolds(event);
  }
}

/** Other events, blocks or ranked holds have the spaces at that time. */
export class SpacesClash extends ValidationFailed {
  /** @param holds how many ranked holds, if it is them */
  constructor(
    problem: FieldProblem,
    readonly events: readonly CalendarEventId[],
    readonly holds = 0,
  ) {
    super(problem);
  }
}

export function refusal({ spaceIds }: CalendarEvent, clashing: readonly CalendarEventId[]): SpacesClash {
  return new SpacesClash({ field: fieldOf(spaceIds), message: clashMessage(clashing) }, clashing);
}

function heldRefusal({ spaceIds }: CalendarEvent, holds: readonly HoldId[]): SpacesClash {
  const message = `is held at that time by ${holds.join(', ')}; set-up and clearing count. Confirm one of them, or send overHolds: true to end them`;
  return new SpacesClash({ field: fieldOf(spaceIds), message }, [], holds.length);
}

function tooManyHolds({ spaceIds }: CalendarEvent): ValidationFailed {
  return new ValidationFailed({
    field: fieldOf(spaceIds),
    message:
      'is held at that time by more holds than can end at once: book a shorter time or fewer spaces, or release some of them',
  });
}

function fieldOf(spaceIds: readonly unknown[]): 'spaceId' | 'spaceIds' {
  return spaceIds.length > 1 ? 'spaceIds' : 'spaceId';
}
