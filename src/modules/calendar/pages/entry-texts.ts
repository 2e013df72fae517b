import type { SpaceId } from '../../../kernel/ids';
import { clockTimeIn, dayIn, DAY_MS } from '../../../kernel/time-zone';
import type { EventType } from '../domain/calendar-event';

export const TYPE_NAMES: Record<EventType, string> = {
  event: 'Event',
  visit: 'Visit',
  hold: 'Hold',
  block: 'Block',
};

/** The length at which titles are cut where many stand together, in code points. */
export const SHOWN_TITLE = 60;
const SHOWN_SPACE = 30;

export function shortened(text: string, length = SHOWN_TITLE): string {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length).join('').trimEnd()}…` : text;
}

export interface Dated {
  readonly allDay: boolean;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/** The times of an entry of less than 24 hours; of a longer one, those that lie on the days from `first` to `last`. */
export function hoursText(
  zone: string,
  { allDay, startsAt, endsAt }: Dated,
  first: string,
  last: string,
): string | undefined {
  if (allDay) return undefined;
  const [start, end] = [clockTimeIn(zone, startsAt), clockTimeIn(zone, endsAt)];
  const begins = dayIn(zone, startsAt) >= first;
  const ends = dayIn(zone, new Date(endsAt.getTime() - 1)) <= last;
  const isShort = endsAt.getTime() - startsAt.getTime() < DAY_MS;
  if (begins && (ends || isShort)) return `${start}–${end}`;
  if (begins) return `from ${start}`;
  return ends ? `until ${end}` : undefined;
}

/** The first space, and how many more there are. */
export function spacesText(ids: readonly SpaceId[], names: ReadonlyMap<SpaceId, string>): string | undefined {
  const [first, ...others] = ids;
  if (!first) return undefined;
  const name = shortened(names.get(first) ?? 'Unknown space', SHOWN_SPACE);
  return others.length > 0 ? `${name} +${others.length}` : name;
}
