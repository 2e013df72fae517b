import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../../kernel/errors';
import type { SpaceId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { CalendarQueries } from '../application/calendar-queries';
import { SpacesClash } from '../application/space-booking';
import type { CalendarEventView } from '../domain/calendar-event';
import { shortened } from './entry-texts';
import { timesOf } from './plan-form';

const MOST_NAMED = 3;

/** Tells people what stands in the way of a booking by its title; the API names ids. */
@Injectable()
export class ClashTexts {
  constructor(private readonly queries: CalendarQueries) {}

  /**
   * Does `work`, and says in words which of the spaces are taken, and by what.
   *
   * @param canEndHolds whether the form has the field for that
   */
  async run<Result>(
    ref: WorkspaceRef,
    spaceIds: readonly SpaceId[],
    work: () => Promise<Result>,
    { canEndHolds = true }: { canEndHolds?: boolean } = {},
  ): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SpacesClash)) throw error;
      const [{ field }] = error.details as [(typeof error.details)[0]];
      throw new ValidationFailed({ field, message: await this.text(ref, spaceIds, error, canEndHolds) });
    }
  }

  private async text(
    ref: WorkspaceRef,
    asked: readonly SpaceId[],
    { events: ids, holds }: SpacesClash,
    canEndHolds: boolean,
  ): Promise<string> {
    if (holds > 0) {
      const count = holds === 1 ? 'A ranked hold asks' : `${holds} ranked holds ask`;
      const way = canEndHolds ? 'tick “End ranked holds” below' : 'release them there first';
      return `${count} for these spaces at that time. Confirm one on the page of its day, or ${way}.`;
    }
    const events: CalendarEventView[] = [];
    for (const id of ids.slice(0, MOST_NAMED)) events.push(await this.queries.get(ref, id));
    const names = await this.queries.spaceNames(ref, events);
    const sentences = events.map((event) => {
      const spaces = event.spaceIds.filter((id) => asked.includes(id)).map((id) => names.get(id));
      return `${spaces.join(' and ')} ${spaces.length > 1 ? 'are' : 'is'} taken by “${shortened(event.title)}” (${periodText(event)}).`;
    });
    const more = ids.length > MOST_NAMED ? ` ${ids.length - MOST_NAMED} more stand in the way.` : '';
    return `${sentences.join(' ')}${more} Set-up and clearing times count.`;
  }
}

function periodText(event: CalendarEventView): string {
  const { startDay, startTime, endDay, endTime } = timesOf(event);
  const end = [endDay === startDay ? '' : endDay, endTime].filter(Boolean).join(' ');
  return `${[startDay, startTime].filter(Boolean).join(' ')}${end && ` to ${end}`}`;
}
