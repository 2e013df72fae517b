import type { PageRequest } from '../../kernel/page';

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
 * they are joined, since one range can't express the two.
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
}): string {
  const { columns, from, conditions, parameters, sort, request, afterId } = options;
  const { after } = request;
  const direction = request.sort.descending ? 'DESC' : 'ASC';
  const beyond = request.sort.descending ? '<' : '>';
  const offset = after ? 0 : (request.page - 1) * request.limit;
  const take = parameters.add(request.limit + 1);
  const skip = parameters.add(offset);
  const depth = `${take}::bigint + ${skip}::bigint`;
  const idPlace = after && afterId !== undefined ? `${parameters.add(afterId)}::uuid` : '';
  const branch = (where: string[], order: string) =>
    `(SELECT ${columns} FROM ${from} WHERE ${[...conditions, ...where].join(' AND ')} ORDER BY ${order} LIMIT ${depth})`;

  const branches: string[] = [];
  if (!after || after.value !== null) {
    const range = after
      ? [`(${sort.column}, id) ${beyond} (${parameters.add(after.value)}::${sort.type}, ${idPlace})`]
      : [];
    const present = sort.nullable ? [`${sort.column} IS NOT NULL`] : [];
    branches.push(branch([...present, ...range], `${sort.column} ${direction}, id ${direction}`));
  }
  if (sort.nullable) {
    const range = after && after.value === null ? [`id ${beyond} ${idPlace}`] : [];
    // Ordered by the column too, which changes nothing but tells the planner which index to walk.
    branches.push(
      branch([`${sort.column} IS NULL`, ...range], `${sort.column} ${direction}, id ${direction}`),
    );
  }
  const order = `${sort.column} ${direction}${sort.nullable ? ' NULLS LAST' : ''}, id ${direction}`;
  return `
    SELECT counted.total_count, page.*
    FROM (SELECT count(*)::int AS total_count FROM ${from} WHERE ${conditions.join(' AND ')}) AS counted
    LEFT JOIN (
      SELECT * FROM (${branches.join(' UNION ALL ')}) AS candidates ORDER BY ${order} LIMIT ${take} OFFSET ${skip}
    ) AS page ON true
    ORDER BY ${order}`;
}

/** What `pageQuery` gives: an empty page is one row of nulls with the total. */
export type PageRow<Row> = { total_count: number } & (Row | { [Column in keyof Row]: null });

export function toSlice<Row extends { id: string }, Item>(
  rows: PageRow<Row>[],
  limit: number,
  toItem: (row: Row) => Item,
): { items: Item[]; hasMore: boolean; total: number } {
  const found = rows.filter((row): row is { total_count: number } & Row => row.id !== null);
  return {
    items: found.slice(0, limit).map(toItem),
    hasMore: found.length > limit,
    total: rows[0]?.total_count ?? 0,
  };
}
