import { clockTimeIn, DAY_MS, dayIn } from './time-zone';
import { isCalendarDate } from './time';

const LOCAL_TIME = /^(\d{4}-\d{2}-\d{2})[T ]((?:[01]\d|2[0-3]):[0-5]\d)(?::[0-5]\d(?:\.\d{1,3})?)?$/;

/** The local time in a zone, to the minute, in the format of browsers' inputs: 2027-01-15T10:30. */
export function localTimeIn(zone: string, at: Date): string {
  return `${dayIn(zone, at)}T${clockTimeIn(zone, at)}`;
}

/**
 * The instant of a local time in a zone, to the minute; undefined for any other text. When clocks go back, a local time
 * occurs twice: it means the first. When they go forward, a skipped local time is read with the offset after the change.
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
