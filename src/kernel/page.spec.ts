import fc from 'fast-check';
import { ValidationFailed } from './errors';
import { newId, parseId } from './ids';
import {
  decodeCursor,
  fingerprintOf,
  type Page,
  type PageRequest,
  pageOf,
  type Position,
  type SortKind,
  wholeList,
} from './page';

const fingerprint = fingerprintOf('leads', { stage: 'lost' }, { field: 'name', descending: false });
const isId = (text: string) => parseId('lead', text) !== undefined;
const expected = { fingerprint, kind: 'text' as SortKind, isId };
const encode = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');

function requestFor(page: number, limit = 10): PageRequest {
  return { page, limit, sort: { field: 'name', descending: false }, fingerprint };
}

function cursorBehind(position: Position, page = 1): string {
  const slice = { items: [position], hasMore: true, total: 50 };
  return pageOf(requestFor(page), slice, (item) => item).pagination.nextCursor!;
}

function refusal(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    if (error instanceof ValidationFailed) return error.details;
    throw error;
  }
  return 'taken';
}

const REFUSED = [{ field: 'cursor', message: expect.any(String) }];

describe('pageOf', () => {
  test('tells the truth about what comes before and after, for any list and page', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 100 }),
        (total, page, limit) => {
          const all = Array.from({ length: total }, (_, index) => ({
            value: String(index),
            id: newId('lead'),
          }));
          const start = (page - 1) * limit;
          const items = all.slice(start, start + limit);
          const slice = { items, hasMore: total > start + limit, total };
          const { data, pagination } = pageOf(requestFor(page, limit), slice, (item) => item);
          expect(data).toBe(items);
          expect(pagination).toMatchObject({ page, limit, total, pages: Math.ceil(total / limit) });
          expect(pagination.hasNext).toBe(start + limit < total);
          expect(pagination.hasPrev).toBe(page > 1 && total > 0);
          expect(pagination.nextCursor === null).toBe(!pagination.hasNext);
        },
      ),
    );
  });

  test('of an empty list has no pages at all', () => {
    const { pagination } = pageOf(requestFor(1), { items: [], hasMore: false, total: 0 }, () => {
      throw new Error('there is no item to ask about');
    });
    expect(pagination).toEqual({
      page: 1,
      limit: 10,
      total: 0,
      pages: 0,
      hasNext: false,
      hasPrev: false,
      nextCursor: null,
    });
  });
});

describe('a cursor', () => {
  test('leads back to its position, with any text as the value, or none', () => {
    const values = fc.option(
      fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
      { nil: null },
    );
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 1_000_000 }), (value, page) => {
        const position = { value, id: newId('lead') };
        const cursor = cursorBehind(position, page);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(decodeCursor(cursor, { ...expected, nullable: true })).toEqual({
          page: page + 1,
          after: position,
        });
      }),
    );
  });

  test.each([
    ['another list, filter or sort', [fingerprintOf('other'), 2, 'x', newId('lead')]],
    ['no fingerprint', [undefined, 2, 'x', newId('lead')]],
    ['a page before the second', [fingerprint, 1, 'x', newId('lead')]],
    ['a negative page', [fingerprint, -2, 'x', newId('lead')]],
    ['a page that is no integer', [fingerprint, 2.5, 'x', newId('lead')]],
    ['a page beyond all integers', [fingerprint, 1e300, 'x', newId('lead')]],
    ['a page as text', [fingerprint, '2', 'x', newId('lead')]],
    ['a value that is no text', [fingerprint, 2, 5, newId('lead')]],
    ['a value that is an object', [fingerprint, 2, { $gt: '' }, newId('lead')]],
    ['a value with NUL', [fingerprint, 2, 'a\0b', newId('lead')]],
    ['a value with an unpaired surrogate', [fingerprint, 2, '\ud800', newId('lead')]],
    ['an id of another kind', [fingerprint, 2, 'x', newId('key')]],
    ['an id of no kind', [fingerprint, 2, 'x', "'; DROP TABLE leads; --"]],
    ['no id', [fingerprint, 2, 'x', null]],
    ['too few parts', [fingerprint, 2, 'x']],
    ['too many parts', [fingerprint, 2, 'x', newId('lead'), 1]],
    ['an object', { fingerprint }],
    ['null', null],
    ['a number', 5],
    ['text', 'cursor'],
  ])('that was forged is refused: %s', (_, parts) => {
    expect(refusal(() => decodeCursor(encode(parts), expected))).toEqual(REFUSED);
  });

  test.each([
    ['instant', '2027-06-12'],
    ['instant', 'x'],
    ['instant', ''],
    ['date', '2027-02-30'],
    ['date', '2027-06-12T00:00:00Z'],
    ['integer', '1.5'],
    ['integer', '1e3'],
    ['integer', ' 1'],
    ['integer', '9999999999999999999'],
    ['decimal', '1.'],
    ['decimal', 'NaN'],
    ['decimal', 'Infinity'],
  ] as [SortKind, string][])('whose value is no %s is refused: %j', (kind, value) => {
    const cursor = encode([fingerprint, 2, value, newId('lead')]);
    expect(refusal(() => decodeCursor(cursor, { ...expected, kind }))).toEqual(REFUSED);
  });

  test('that is any text, or any JSON, is refused and never throws anything else', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue().map(encode), fc.base64String()),
        (cursor) => {
          expect(refusal(() => decodeCursor(cursor, expected))).toEqual(REFUSED);
        },
      ),
    );
  });
});

describe('a fingerprint', () => {
  test('is the same for the same parts and another for others', () => {
    const parts = ['leads', { stage: 'lost', tag: undefined }, { field: 'name', descending: true }];
    expect(fingerprintOf(...parts)).toBe(fingerprintOf(...structuredClone(parts)));
    const others = [
      fingerprintOf('leads', { stage: 'won' }, parts[2]),
      fingerprintOf('leads', { tag: 'lost' }, parts[2]),
      fingerprintOf('leads', parts[1], { field: 'name', descending: false }),
      fingerprintOf('keys', parts[1], parts[2]),
    ];
    expect(new Set([...others, fingerprintOf(...parts)]).size).toBe(5);
  });
});

describe('a whole list', () => {
  test('is read part by part, each from the last item of the one before, until none follow', async () => {
    const ids = Array.from({ length: 1201 }, () => newId('lead'));
    const requests: PageRequest[] = [];
    const list = (request: PageRequest): Promise<Page<{ id: string }>> => {
      requests.push(request);
      const start = request.after ? ids.indexOf(request.after.id as (typeof ids)[number]) + 1 : 0;
      const items = ids.slice(start, start + request.limit).map((id) => ({ id }));
      const slice = { items, hasMore: start + request.limit < ids.length, total: 0 };
      return Promise.resolve(pageOf(request, slice, ({ id }) => ({ value: null, id })));
    };
    const sort = { field: 'createdAt', descending: true };
    const read: string[] = [];
    for await (const part of wholeList(sort, list)) read.push(...part.map(({ id }) => id));
    expect(read).toEqual(ids);
    expect(requests.map(({ limit }) => limit)).toEqual([500, 500, 500]);
    expect(requests.every((request) => request.isUncounted && request.sort === sort)).toBe(true);
  });
});
