import { type Id, toUuid } from '../../kernel/ids';
import { MAX_PAGE_BYTES, type PageRequest, type Slice } from '../../kernel/page';
import type { Parameters } from './parameters';
import type { SortColumn } from './statement';

/** Bytes of an item in an answer beyond its row: derived fields, such as links. */
const BYTES_BEYOND_ROW = 1024;

/** A forged cursor may hold an integer that is too large for the column. Indexes of these types compare with `bigint` too. */
const WIDER_TYPES: Record<string, string> = { smallint: 'bigint', int: 'bigint', integer: 'bigint' };

/** The rows of a list, their order, and the part to read. */
export interface ListQuery {
  readonly columns: string;
  readonly from: string;
  readonly conditions: readonly string[];
  readonly parameters: Parameters;
  readonly sort: SortColumn;
  readonly request: PageRequest;
  /** Conditions of which every row meets exactly one, as the predicates of partial indexes do. */
  readonly parts?: readonly string[];
  /** An expression for how many rows meet the conditions, where that needn't be counted. */
  readonly total?: string;
}

/**
 * Reads one part of a sorted list, and the size of the whole, in one statement and so from one moment. A part holds at most
 * `MAX_PAGE_BYTES` of JSON.
 */
export async function readSlice<Row extends { id: string }, Item>(
  database: { sql<Found>(text: string, values: readonly unknown[]): Promise<Found[]> },
  query: ListQuery,
  toItem: (row: Row) => Item,
): Promise<Slice<Item>> {
  const { parameters, request, sort } = query;
  const order = orderOf(sort, request);
  const text = withTotal(totalOf(query), cutToSize(pageRows(query), order), order);
  return toSlice<Row, Item>(await database.sql<PageRow<Row>>(text, parameters.values), request.limit, toItem);
}

/** An expression for how many rows a list has. */
export function totalOf({ total, from, conditions, request }: ListQuery): string {
  if (request.isUncounted) return '0';
  return total ?? `(SELECT count(*)::int FROM ${from} WHERE ${conditions.join(' AND ')})`;
}

/**
 * A query for the rows of a part and one more, which tells whether others follow. Every order is total: the id breaks ties. Nulls come last in both
 * directions.
 *
 * A cursor's position is a range of the index on (workspace, mode, column, id), however deep it is. With a column that may be
 * null the list is two such ranges, the rows with a value and then those without, each cut short before they are joined,
 * since one range can't express both. The same goes for the parts that an index is split into.
 */
export function pageRows(query: ListQuery): string {
  const { columns, from, conditions, parameters, sort, request, parts = [] } = query;
  const { after } = request;
  const direction = request.sort.descending ? 'DESC' : 'ASC';
  const beyond = request.sort.descending ? '<' : '>';
  const take = parameters.add(request.limit + 1);
  const skip = parameters.add(offsetOf(request));
  const afterId = after ? `${parameters.add(toUuid(after.id as Id<string>))}::uuid` : '';
  const cursorType = WIDER_TYPES[sort.type] ?? sort.type;

  const ranges: string[][] = [];
  if (!after || after.value !== null) {
    const range = after
      ? [`(${sort.column}, id) ${beyond} (${parameters.add(after.value)}::${cursorType}, ${afterId})`]
      : [];
    ranges.push(sort.nullable ? [`${sort.column} IS NOT NULL`, ...range] : range);
  }
  if (sort.nullable) {
    const range = after && after.value === null ? [`id ${beyond} ${afterId}`] : [];
    ranges.push([`${sort.column} IS NULL`, ...range]);
  }
  // Where the column is null, sorting by it changes nothing, but tells the planner which index to walk.
  const branches = ranges.flatMap((range) =>
    (parts.length ? parts.map((part) => [part]) : [[]]).map((part) => {
      const where = [...conditions, ...part, ...range];
      const rows = `FROM ${from} ${where.length ? `WHERE ${where.join(' AND ')}` : ''}`;
      const order = `${sort.column} ${direction}, id ${direction}`;
      return `(SELECT ${columns} ${rows} ORDER BY ${order} LIMIT ${take}::bigint + ${skip}::bigint)`;
    }),
  );
  return `SELECT * FROM (${branches.join(' UNION ALL ')}) AS candidates
    ORDER BY ${orderOf(sort, request)} LIMIT ${take} OFFSET ${skip}`;
}

/** The rows to skip before a part: those of the pages before it, or none after a cursor. */
export function offsetOf({ after, page, limit }: PageRequest): number {
  return after ? 0 : (page - 1) * limit;
}

export function orderOf({ column, nullable }: SortColumn, { sort: { descending } }: PageRequest): string {
  const direction = descending ? 'DESC' : 'ASC';
  return `${column} ${direction}${nullable ? ' NULLS LAST' : ''}, id ${direction}`;
}

/**
 * The first rows of a page that make no more than `MAX_PAGE_BYTES` of JSON, and at least one. The database measures
 * them, so that it doesn't send what no answer would hold.
 *
 * @param page a query
 * @param order of its rows
 */
export function cutToSize(page: string, order: string): string {
  return `
    SELECT * FROM (
      SELECT page.*, (count(*) OVER ())::int AS page_found, row_number() OVER in_order AS page_place,
        sum(octet_length(to_json(page)::text) + ${BYTES_BEYOND_ROW}) OVER in_order AS page_bytes
      FROM (${page}) AS page WINDOW in_order AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)
    ) AS measured WHERE page_bytes <= ${MAX_PAGE_BYTES} OR page_place = 1`;
}

/** Joins a page with the size of its list. */
export function withTotal(total: string, page: string, order: string): string {
  return `
    SELECT counted.total_count, page.*
    FROM (SELECT ${total} AS total_count) AS counted
    LEFT JOIN (${page}) AS page ON true
    ORDER BY ${order}`;
}

/**
 * A row of `withTotal`: an empty page is one row of nulls with the total.
 * `page_found` is how many rows there were before the page was cut to size.
 */
export type PageRow<Row> = { total_count: number; page_found?: number | null } & (
  Row | { [Column in keyof Row]: null }
);

export function toSlice<Row extends { id: string }, Item>(
  rows: PageRow<Row>[],
  limit: number,
  toItem: (row: Row) => Item,
): Slice<Item> {
  const found = rows.filter((row): row is { total_count: number } & Row => row.id !== null);
  const items = found.slice(0, limit).map(toItem);
  return {
    items,
    hasMore: (rows[0]?.page_found ?? found.length) > items.length,
    total: rows[0]?.total_count ?? 0,
  };
}
