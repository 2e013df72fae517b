import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../../kernel/errors';
import type { CalendarEventId } from '../../../kernel/ids';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { CalendarEvent } from '../domain/calendar-event';
import { clashMessage, type Occupancy, occupanciesOf } from '../domain/occupancy';
import { CalendarEventRepository, SpacesTaken } from './calendar-event-repository';
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

  /** The event's occupancies, after checking that no other event has them. */
  async claim(event: CalendarEvent): Promise<Occupancy[]> {
    if (!event.takesSpaces || event.spaceIds.length === 0) return [];
    const occupancies = occupanciesOf(event, await this.spaces.lock(event, event.spaceIds));
    const clashing = await this.events.clashing(event, occupancies);
    if (clashing.length > 0) throw refusal(event, clashing);
    return occupancies;
  }
}

function refusal({ spaceIds }: CalendarEvent, clashing: readonly CalendarEventId[]): ValidationFailed {
  const field = spaceIds.length > 1 ? 'spaceIds' : 'spaceId';
  return new ValidationFailed({ field, message: clashMessage(clashing) });
}
