import { createHash } from 'node:crypto';
import { ValidationFailed } from './errors';
import { textProblem } from './text';
import { isCalendarDate, parseInstant } from './time';

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;
/** The limit of a page's items as JSON. A page of large items holds fewer than `limit`. */
export const MAX_PAGE_BYTES = 2 * 1024 * 1024;

export interface Sort<Field extends string = string> {
  readonly field: Field;
  readonly descending: boolean;
}

/** The position right after an item of a sorted list, given by the item's sort value and id. */
export interface Position {
  readonly value: string | null;
  readonly id: string;
}

/** A part of a list, by page number or from a position on. */
export interface PageRequest<Field extends string = string> {
  readonly page: number;
  readonly limit: number;
  readonly sort: Sort<Field>;
  readonly after?: Position;
  /** Binds a cursor to its list, filters and sort. */
  readonly fingerprint: string;
  /** The total is 0 instead of counted: for reading a whole list. */
  readonly isUncounted?: boolean;
}

export interface Page<Item> {
  data: Item[];
  pagination: {
    page: number;
    limit: number;
    total: number;
    pages: number;
    hasNext: boolean;
    hasPrev: boolean;
    nextCursor: string | null;
  };
}

/** Up to `limit` items from a repository, whether more follow, and the number of all that match. */
export interface Slice<Item> {
  readonly items: Item[];
  readonly hasMore: boolean;
  readonly total: number;
}

export function pageOf<Item>(
  request: PageRequest,
  slice: Slice<Item>,
  positionOf: (item: Item) => Position,
): Page<Item> {
  const { page, limit, fingerprint } = request;
  const last = slice.items.at(-1);
  return {
    data: slice.items,
    pagination: {
      page,
      limit,
      total: slice.total,
      pages: Math.ceil(slice.total / limit),
      hasNext: slice.hasMore,
      hasPrev: page > 1 && slice.total > 0,
      nextCursor: last && slice.hasMore ? encodeCursor(fingerprint, page + 1, positionOf(last)) : null,
    },
  };
}

/** Items that a whole list is read by, and that are in memory at a time. */
const PART_SIZE = 500;

/**
 * All items of a list, part by part. Nothing is held open between two parts. No item is skipped or repeated while others
 * write if the sort field never changes.
 */
export async function* wholeList<Item, Field extends string>(
  sort: Sort<Field>,
  list: (request: PageRequest<Field>) => Promise<Page<Item>>,
): AsyncGenerator<readonly Item[], void> {
  let request: PageRequest<Field> = { page: 1, limit: PART_SIZE, sort, fingerprint: '', isUncounted: true };
  for (;;) {
    const { data, pagination } = await list(request);
    yield data;
    if (pagination.nextCursor === null) return;
    const [, page, value, id] = readCursor(pagination.nextCursor) as [string, number, string | null, string];
    request = { ...request, page, after: { value, id } };
  }
}

/** How a sort field's values are written, which is what a cursor's value has to be. */
export type SortKind = 'instant' | 'date' | 'text' | 'integer' | 'decimal';

const isOfKind: Record<SortKind, (value: string) => boolean> = {
  // Only as we write it: the database knows fewer offsets than RFC 3339.
  instant: (value) => parseInstant(value)?.toISOString() === value,
  date: isCalendarDate,
  text: (value) => textProblem(value) === undefined,
  integer: (value) => /^-?\d{1,18}$/.test(value),
  decimal: (value) => /^-?\d{1,18}(\.\d{1,20})?$/.test(value),
};

export function fingerprintOf(...parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12);
}

function encodeCursor(fingerprint: string, page: number, { value, id }: Position): string {
  return Buffer.from(JSON.stringify([fingerprint, page, value, id])).toString('base64url');
}

function readCursor(cursor: string): unknown {
  return JSON.parse(Buffer.from(cursor, 'base64url').toString());
}

/** @throws ValidationFailed for anything but a cursor that this service made for the same list, filters and sort */
export function decodeCursor(
  cursor: string,
  expected: { fingerprint: string; kind: SortKind; nullable?: boolean; isId: (text: string) => boolean },
): { page: number; after: Position } {
  const refusal = new ValidationFailed({
    field: 'cursor',
    message: 'is not a cursor of this list with these filters and this sort',
  });
  let parts: unknown;
  try {
    parts = readCursor(cursor);
  } catch {
    throw refusal;
  }
  if (!Array.isArray(parts) || parts.length !== 4) throw refusal;
  const [fingerprint, page, value, id] = parts as unknown[];
  if (
    fingerprint !== expected.fingerprint ||
    !Number.isSafeInteger(page) ||
    (page as number) < 2 ||
    !(
      (value === null && expected.nullable) ||
      (typeof value === 'string' && isOfKind[expected.kind](value))
    ) ||
    !(typeof id === 'string' && expected.isId(id))
  ) {
    throw refusal;
  }
  return { page: page as number, after: { value, id } };
}
