import type { CalendarEventId, SpaceId } from '../../../kernel/ids';
import type { CalendarEvent } from './calendar-event';
import type { Space } from './space';

const MINUTE_MS = 60_000;

/** A space, and the time for which it is taken. */
export interface Occupancy {
  readonly spaceId: SpaceId;
  readonly from: Date;
  readonly to: Date;
}

/**
 * The occupancies of an event: its time in each space, with set-up and clearing, which may not overlap those of another
 * event. A block has neither.
 */
export function occupanciesOf(event: CalendarEvent, spaces: readonly Space[]): Occupancy[] {
  if (!event.takesSpaces) return [];
  if (event.type === 'event') return preparedIn(spaces, event);
  return spaces.map(({ id }) => ({ spaceId: id, from: event.startsAt, to: event.endsAt }));
}

/** The time that an event takes in each space: its own, with set-up and clearing. */
export function preparedIn(
  spaces: readonly Space[],
  { startsAt, endsAt }: { readonly startsAt: Date; readonly endsAt: Date },
): Occupancy[] {
  return spaces.map(({ id, setupMinutes, clearingMinutes }) => ({
    spaceId: id,
    from: new Date(startsAt.getTime() - setupMinutes * MINUTE_MS),
    to: new Date(endsAt.getTime() + clearingMinutes * MINUTE_MS),
  }));
}

/** The error that names the clashing events. */
export function clashMessage(ids: readonly CalendarEventId[]): string {
  const by = ids.length > 0 ? ` by ${ids.join(', ')}` : '';
  return `is taken at that time${by}; set-up and clearing count`;
}
