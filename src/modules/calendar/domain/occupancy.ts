import type { CalendarEventId, SpaceId } from '../../../kernel/ids';
import type { CalendarEvent } from './calendar-event';
import type { Space } from './space';

const MINUTE_MS = 60_000;

/** A space, and the time for which nobody else can have it. */
export interface Occupancy {
  readonly spaceId: SpaceId;
  readonly from: Date;
  readonly to: Date;
}

/**
 * What an event takes of its spaces. Around an event each space is set up and cleared, which neither another event's
 * set-up nor its clearing may overlap; a block needs neither.
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

/** What the caller is told of whose time it would have been. */
export function clashMessage(ids: readonly CalendarEventId[]): string {
  const by = ids.length > 0 ? ` by ${ids.join(', ')}` : '';
  return `is taken at that time${by}; set-up and clearing count`;
}
