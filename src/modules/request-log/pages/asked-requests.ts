import type { Request } from 'express';
import { addDays, startOfDay } from '../../../kernel/time-zone';
import { isCalendarDate, parseInstant } from '../../../kernel/time';
import type { Path } from '../../../platform/pages/components/link';
import { queryText } from '../../../platform/pages/query-text';
import { type Area, settingsPath } from '../../shell';
import { METHODS, OUTCOMES, type RequestFilter } from '../domain/logged-request';

const MAX_TEXT = 200;

/** What the address of the log asks for, as typed. Blank values count as absent, and so do unknown ones. */
export interface AskedRequests {
  readonly outcome: string;
  readonly method: string;
  readonly caller: string;
  readonly path: string;
  readonly day: string;
  readonly requestId: string;
  /** An earlier search ended there. */
  readonly before: string;
}

export function askedRequests(request: Request): AskedRequests {
  const text = (name: string) => queryText(request, name).trim().slice(0, MAX_TEXT);
  const [day, before] = [text('day'), text('before')];
  const path = text('path');
  return {
    outcome: OUTCOMES.find((each) => each === text('outcome')) ?? '',
    method: METHODS.find((each) => each === text('method')) ?? '',
    caller: text('caller'),
    path: path && !path.startsWith('/') ? `/${path}` : path,
    day: isCalendarDate(day) && day > '1900' && day < '3000' ? day : '',
    requestId: text('requestId'),
    before: parseInstant(before)?.toISOString() ?? '',
  };
}

/** @param timeZone that of the days */
export function filterOf({ day, before, ...asked }: AskedRequests, timeZone: string): RequestFilter {
  const texts = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ''));
  const nextDay = day && startOfDay(timeZone, addDays(day, 1));
  // One later than the last that was looked at, since others may have been answered in the same millisecond.
  const next = before && new Date(Date.parse(before) + 1);
  const until = [nextDay, next].filter((at) => at !== '').sort((one, other) => +one - +other)[0];
  return { ...texts, ...(day && { from: startOfDay(timeZone, day) }), ...(until && { until }) };
}

/** The address of the log with some of it changed. */
export function requestLogPath(area: Area, asked: Partial<AskedRequests & { cursor: string }>): Path {
  const given = Object.entries(asked).filter(([, value]) => value !== '');
  const query = new URLSearchParams(given).toString();
  const path = settingsPath(area, `${area.mode}/request-log`);
  return query ? `${path}?${query}` : path;
}
