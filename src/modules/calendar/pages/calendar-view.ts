import type { Request } from 'express';
import { parseId, type SpaceId } from '../../../kernel/ids';
import type { Path } from '../../../platform/pages/components/link';
import { queryText } from '../../../platform/pages/query-text';
import type { MonthFilter } from '../application/month-queries';
import { EVENT_TYPES, type EventType } from '../domain/calendar-event';

/** The filters of an address. What it doesn't know is left out, since people edit addresses and follow old links. */
export function readFilter(request: Request): MonthFilter {
  const space = parseId('space', queryText(request, 'space'));
  const type = queryText(request, 'type');
  return {
    ...(space && { spaceId: space satisfies SpaceId }),
    ...(EVENT_TYPES.includes(type as EventType) && { type: type as EventType }),
  };
}

/** An address with the filters, and what else is given. */
export function withFilter(
  path: Path,
  { spaceId, type }: MonthFilter,
  others: Record<string, string> = {},
): Path {
  const parameters = new URLSearchParams({
    ...others,
    ...(spaceId && { space: spaceId }),
    ...(type && { type }),
  });
  return parameters.size > 0 ? `${path}?${parameters}` : path;
}

export function isFiltered({ spaceId, type }: MonthFilter): boolean {
  return spaceId !== undefined || type !== undefined;
}
