import { ValidationFailed } from '../../../kernel/errors';
import { parseLocalTime } from '../../../kernel/local-time';
import { addDays, startOfDay } from '../../../kernel/time-zone';

/** The local time at which a task that is due on a day is announced. */
const ANNOUNCED_AT = '09:00';

/** When a task is due: on a day of the workspace, YYYY-MM-DD, or at an instant, or neither. Never both. */
export interface Due {
  readonly dueOn: string | null;
  readonly dueAt: Date | null;
}

export interface DueTimes {
  /** When `task.due` is announced: `dueAt`, or 09:00 of `dueOn`. */
  readonly announcedFrom: Date | null;
  /** When an open task becomes overdue: `dueAt`, or the end of `dueOn`. */
  readonly overdueAt: Date | null;
}

/**
 * The instants of a due time, in the time zone that the workspace has now.
 *
 * @throws ValidationFailed for a day that the zone skipped, as Samoa did when it moved across the date line
 */
export function dueTimesOf({ dueOn, dueAt }: Due, timeZone: string): DueTimes {
  if (dueOn === null) return { announcedFrom: dueAt, overdueAt: dueAt };
  const overdueAt = startOfDay(timeZone, addDays(dueOn, 1));
  if (overdueAt <= startOfDay(timeZone, dueOn)) {
    throw new ValidationFailed({ field: 'dueOn', message: `is a day that ${timeZone} left out` });
  }
  return { announcedFrom: parseLocalTime(timeZone, `${dueOn}T${ANNOUNCED_AT}`)!, overdueAt };
}

/** The instants from the beginning of one day to the end of another, in a time zone. */
export function daysBetween(
  { from, to }: { from?: string; to?: string },
  timeZone: string,
): { from?: Date; before?: Date } {
  return {
    ...(from !== undefined && { from: startOfDay(timeZone, from) }),
    ...(to !== undefined && { before: startOfDay(timeZone, addDays(to, 1)) }),
  };
}
