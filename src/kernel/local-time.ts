import { clockTimeIn, DAY_MS, dayIn } from './time-zone';
import { isCalendarDate } from './time';

const LOCAL_TIME = /^(\d{4}-\d{2}-\d{2})[T ]((?:[01]\d|2[0-3]):[0-5]\d)(?::[0-5]\d(?:\.\d{1,3})?)?$/;

/** What clocks in a zone show at that instant, to the minute, as browsers write it: 2027-01-15T10:30. */
export function localTimeIn(zone: string, at: Date): string {
  return `${dayIn(zone, at)}T${clockTimeIn(zone, at)}`;
}

/**
 * The instant at which clocks in a zone show that time, to the minute; undefined for text that is none. The first of two
 * where clocks are put back; a time that they leap over is taken as on the clocks of before, and so comes early.
 */
export function parseLocalTime(zone: string, text: string): Date | undefined {
  const [, day, time] = LOCAL_TIME.exec(text) ?? [];
  if (!day || !time || !isCalendarDate(day)) return undefined;
  const wanted = Date.parse(`${day}T${time}Z`);
  const shown = (instant: number) => Date.parse(`${localTimeIn(zone, new Date(instant))}Z`);
  const candidates = [wanted - DAY_MS, wanted + DAY_MS]
    .map((nearby) => wanted - (shown(nearby) - nearby))
    .sort((one, other) => one - other);
  return new Date(candidates.find((candidate) => shown(candidate) === wanted) ?? candidates[0]!);
}
