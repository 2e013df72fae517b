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
  const isPrepared = event.type === 'event';
  return spaces.map(({ id, setupMinutes, clearingMinutes }) => ({
    spaceId: id,
    from: new Date(event.startsAt.getTime() - (isPrepared ? setupMinutes * MINUTE_MS : 0)),
    to: new Date(event.endsAt.getTime() + (isPrepared ? clearingMinutes * MINUTE_MS : 0)),
  }));
}

/** The error that names the clashing events. */
export function clashMessage(ids: readonly CalendarEventId[]): string {
  const by = ids.length > 0 ? ` by ${ids.join(', ')}` : '';
  return `is taken at that time${by}; set-up and clearing count`;
}
