import type { Request } from 'express';
import type { Kind } from './fair-turns';
import type { Route } from './route-table';

/** A larger body takes longer to check and to store than one request should keep others waiting. */
const SMALL_BODY_BYTES = 16 * 1024;
/** The first one or two items of a list in its own order: the largest ones take a few milliseconds. */
const SHORT_LIST = /^[^?]*\?limit=[12]$/;

/**
 * What a request may cost at most. Lists and searches read as much as their parameters ask for, up to `MAX_PAGE_BYTES`, and
 * pages show lists.
 */
export function kindOf(
  { method, originalUrl }: Pick<Request, 'method' | 'originalUrl'>,
  { access, takesQuery, scansRows }: Pick<Route, 'access' | 'takesQuery' | 'scansRows'>,
  bodyBytes: number,
): Kind {
  if (scansRows || bodyBytes > SMALL_BODY_BYTES) return 'large';
  if (method !== 'GET' && method !== 'HEAD') return 'write';
  if (access.kind === 'page') return 'large';
  return takesQuery && !SHORT_LIST.test(originalUrl) ? 'large' : 'small';
}
