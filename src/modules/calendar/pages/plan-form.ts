import type { SpaceId } from '../../../kernel/ids';
import { localTimeIn, parseLocalTime } from '../../../kernel/local-time';
import { addDays } from '../../../kernel/time-zone';
import * as fieldRules from '../../../platform/http/field-rules';
import type { FormInput } from '../../../platform/pages/form-input';
import type { CalendarEventView } from '../domain/calendar-event';

const CLOCK_TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const MAX_GUESTS = 100_000;
const MAX_SPACES = 20;

/** The fields of everything that is planned in the calendar, in the order of its forms. */
export const PLAN_LABELS = {
  title: 'Title',
  startDay: 'First day',
  startTime: 'Starts at',
  endDay: 'Last day',
  endTime: 'Ends at',
  spaceIds: 'Spaces',
  guests: 'Guests',
  lead: 'Lead’s email',
};

const TIMES = ['startDay', 'startTime', 'endDay', 'endTime'] as const;

/** Where the forms show what the use cases find wrong. */
const FIELDS: Record<string, string> = {
  startsAt: 'startDay',
  endsAt: 'endDay',
  spaceId: 'spaceIds',
  leadId: 'lead',
};

/** RFC 3339 times, or the first day and the day after the last. */
export interface PlannedTimes {
  readonly startsAt: string;
  readonly endsAt?: string;
}

/** Whole days without times; an end time before the start time is one of the next day. Problems are noted. */
export function readTimes(form: FormInput, zone: string): PlannedTimes {
  const startDay = form.text('startDay', fieldRules.plannableDate);
  const startTime = form.optional('startTime', clockTime);
  const lastDay = form.optional('endDay', fieldRules.plannableDate);
  const endTime = form.optional('endTime', clockTime);
  const refuse = (field: (typeof TIMES)[number], message: string) => form.problems.push({ field, message });
  if (TIMES.some((field) => form.problem(field))) return { startsAt: startDay };
  if (lastDay !== null && lastDay < startDay) refuse('endDay', 'must not be before the first day');
  if (startTime === null) {
    if (endTime !== null)
      refuse('startTime', 'is required with an end time; leave both blank for whole days');
    return { startsAt: startDay, endsAt: addDays(lastDay ?? startDay, 1) };
  }
  const startsAt = instantIn(zone, startDay, startTime);
  if (endTime === null) {
    if (lastDay !== null && lastDay !== startDay)
      refuse('endTime', 'is required with a start time and a last day');
    return { startsAt };
  }
  const isNextDay = lastDay === null && endTime <= startTime;
  const endsAt = instantIn(zone, isNextDay ? addDays(startDay, 1) : (lastDay ?? startDay), endTime);
  if (endsAt <= startsAt && lastDay === startDay) refuse('endTime', 'must be later than the start');
  return { startsAt, endsAt };
}

export function readSpaces(form: FormInput): SpaceId[] {
  const ids = [...new Set(form.list('spaceIds').filter((id) => id !== ''))];
  const problem = ids.map(fieldRules.idOf('space')).find((message) => message !== undefined);
  if (problem) form.problems.push({ field: 'spaceIds', message: problem });
  if (ids.length > MAX_SPACES) {
    form.problems.push({ field: 'spaceIds', message: `must be at most ${MAX_SPACES} spaces` });
  }
  return ids as SpaceId[];
}

export function readGuests(form: FormInput): number | null {
  const rule = fieldRules.integer(1, MAX_GUESTS);
  const typed = form.optional('guests', (value) =>
    rule(/^\d{1,9}$/.test(String(value)) ? Number(value) : value),
  );
  return typed === null ? null : Number(typed);
}

/** What the fields of times begin with, for something that is planned already. */
export function timesOf({
  startsAt,
  endsAt,
  timeZone,
}: Pick<CalendarEventView, 'startsAt' | 'endsAt' | 'timeZone'>): Record<(typeof TIMES)[number], string> {
  const [start, end] = [startsAt, endsAt].map((at) =>
    typeof at === 'string' ? at : localTimeIn(timeZone, at),
  );
  const [startDay = '', startTime = ''] = start!.split('T');
  const [endDay = '', endTime = ''] = end!.split('T');
  return { startDay, startTime, endDay: endTime ? endDay : addDays(endDay, -1), endTime };
}

export function areTimesChanged(form: FormInput, before: FormInput): boolean {
  return TIMES.some((field) => form.value(field) !== before.value(field));
}

/** Says what the use cases found wrong where the form has the field, in its words. */
export function renameProblems(form: FormInput): void {
  form.problems.forEach(({ field, message }, index) => {
    form.problems[index] = {
      field: FIELDS[field] ?? field,
      message: message
        .replace('than startsAt', 'than the start')
        .replace('after startsAt', 'after the start'),
    };
  });
}

function clockTime(value: unknown): string | undefined {
  return CLOCK_TIME.test(String(value)) ? undefined : 'must be a time such as 18:00';
}

function instantIn(zone: string, day: string, time: string): string {
  return parseLocalTime(zone, `${day}T${time}`)!.toISOString();
}
