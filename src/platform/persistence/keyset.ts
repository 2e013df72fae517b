import { MAX_PAGE_BYTES, type PageRequest } from '../../kernel/page';

/** What an answer may hold of an item beyond its row: derived fields, such as links. */
const BYTES_BEYOND_ROW = 1024;

/** A sort field as SQL. */
export interface SortColumn {
  readonly column: string;
  readonly type: 'timestamptz' | 'date' | 'text';
  readonly nullable: boolean;
}

/** Collects the values of a statement and hands out their places. */
export class Parameters {
  readonly values: unknown[] = [];

  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

/**
 * One part of a sorted list together with the size of the whole, in one statement and so from one moment. Every
 * order is total: the id breaks ties. Nulls come last in both directions.
 *
 * A cursor's position is a range of the index on (workspace, mode, column, id), whatever its depth. With a column
 * that may be null the list is two such ranges, the rows with a value and then those without, each cut short before
 * they are joined, since one range can't express the two. The same goes for the parts that an index is split into.
 */
export function pageQuery(options: {
  columns: string;
  from: string;
  conditions: string[];
  parameters: Parameters;
  sort: SortColumn;
  request: PageRequest;
  /** The parameter for the id of `request.after`, in the database's form. */
  afterId?: string;
  /** Conditions of which every row meets exactly one, as the predicates of partial indexes do. */
  parts?: string[];
  /** An expression for how many rows meet the conditions, where that needn't be counted. */
  total?: string;
  /** What names one row, together with its id. With it, pages that aren't the first are found by an index alone if it holds all they take. */
  rowKey?: string[];
  /** The rows are found once, for both the total and the page: where to find them is dear, and no order helps. Takes a `rowKey`. */
  foundOnce?: boolean;
  /** The largest rows there can be make no page above `MAX_PAGE_BYTES`, so that pages needn't be measured. */
  alwaysFits?: boolean;
}): string {
  const { columns, parameters, sort, request, afterId, rowKey, foundOnce, alwaysFits } = options;
  const all = `FROM ${options.from} WHERE ${options.conditions.join(' AND ')}`;
  const { from, conditions, parts } = foundOnce
    ? { from: 'matching', conditions: [], parts: [] }
    : { ...options, parts: options.parts ?? [] };
  const total = options.total ?? `(SELECT count(*)::int ${foundOnce ? 'FROM matching' : all})`;
  const { after } = request;
  const direction = request.sort.descending ? 'DESC' : 'ASC';
  const beyond = request.sort.descending ? '<' : '>';
  const offset = after ? 0 : (request.page - 1) * request.limit;
  const take = parameters.add(request.limit + 1);
  const skip = parameters.add(offset);
  const depth = `${take}::bigint + ${skip}::bigint`;
  const idPlace = after && afterId !== undefined ? `${parameters.add(afterId)}::uuid` : '';
  const found = rowKey && (foundOnce || offset > 0) ? `${sort.column}, id` : columns;
  const order = `${sort.column} ${direction}, id ${direction}`;

  const ranges: string[][] = [];
  if (!after || after.value !== null) {
    const range = after
      ? [`(${sort.column}, id) ${beyond} (${parameters.add(after.value)}::${sort.type}, ${idPlace})`]
      : [];
    ranges.push(sort.nullable ? [`${sort.column} IS NOT NULL`, ...range] : range);
  }
  if (sort.nullable) {
    const range = after && after.value === null ? [`id ${beyond} ${idPlace}`] : [];
    ranges.push([`${sort.column} IS NULL`, ...range]);
  }
  // Where the column is null it is sorted by too, which changes nothing but tells the planner which index to walk.
  const branches = ranges.flatMap((range) =>
    (parts.length ? parts.map((part) => [part]) : [[]]).map((part) => {
      const where = [...conditions, ...part, ...range];
      const rows = `FROM ${from} ${where.length ? `WHERE ${where.join(' AND ')}` : ''}`;
      return `(SELECT ${found} ${rows} ORDER BY ${order} LIMIT ${depth})`;
    }),
  );
  const nullsLast = `${sort.column} ${direction}${sort.nullable ? ' NULLS LAST' : ''}, id ${direction}`;
  let page = `SELECT * FROM (${branches.join(' UNION ALL ')}) AS candidates ORDER BY ${nullsLast} LIMIT ${take} OFFSET ${skip}`;
  if (found !== columns) {
    // The OFFSET keeps the planner, which can't know how few there are, from reading the whole table for them.
    const row = `SELECT ${columns} FROM ${options.from} WHERE ${[...rowKey!, 'id = place.id'].join(' AND ')} OFFSET 0`;
    page = `SELECT found.* FROM (${page}) AS place CROSS JOIN LATERAL (${row}) AS found`;
  }
  if (!alwaysFits) page = cutToSize(page, nullsLast);
  const matching = foundOnce ? `WITH matching AS MATERIALIZED (SELECT ${sort.column}, id ${all})` : '';
  return `
    ${matching}
    SELECT counted.total_count, page.*
    FROM (SELECT ${total} AS total_count) AS counted
    LEFT JOIN (${page}) AS page ON true
    ORDER BY ${nullsLast}`;
}

/**
 * The first rows of a page that make no more than `MAX_PAGE_BYTES` of JSON, and one in any case. The database measures
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

/**
 * What `pageQuery` gives: an empty page is one row of nulls with the total.
 * `page_found` is how many rows there were before the page was cut to size.
 */
export type PageRow<Row> = { total_count: number; page_found?: number | null } & (
  Row | { [Column in keyof Row]: null }
);

export function toSlice<Row extends { id: string }, Item>(
  rows: PageRow<Row>[],
  limit: number,
  toItem: (row: Row) => Item,
): { items: Item[]; hasMore: boolean; total: number } {
  const found = rows.filter((row): row is { total_count: number } & Row => row.id !== null);
  const items = found.slice(0, limit).map(toItem);
  return {
    items,
    hasMore: (rows[0]?.page_found ?? found.length) > items.length,
    total: rows[0]?.total_count ?? 0,
  };
}
