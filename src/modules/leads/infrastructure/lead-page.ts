import {
  type ListQuery,
  offsetOf,
  orderOf,
  pageRows,
  totalOf,
  withTotal,
} from '../../../platform/persistence/keyset';

interface LeadListQuery extends ListQuery {
  /** Conditions that, with an id, name one row. */
  readonly owner: readonly string[];
  /** Finds the rows once, for both the total and the page: they are costly to find, and no index gives their order. */
  readonly foundOnce: boolean;
}

/**
 * A page of leads with their total. Two things differ from other lists. Pages that an offset names, and rows that are found
 * once, are picked by sort column and id alone, which an index holds, before whole rows are read. And pages aren't measured: a
 * lead has at most 3,500 characters, each of 6 bytes if it is escaped, which makes 2 MiB for 100 leads.
 */
export function leadPage(query: LeadListQuery): string {
  const { columns, from, conditions, owner, request, sort, foundOnce } = query;
  const order = orderOf(sort, request);
  if (!foundOnce && offsetOf(request) === 0) return withTotal(totalOf(query), pageRows(query), order);

  const place = { ...query, columns: `${sort.column}, id` };
  // The OFFSET keeps the planner, which can't know how few places there are, from reading the whole table for them.
  const row = `SELECT ${columns} FROM ${from} WHERE ${owner.join(' AND ')} AND id = place.id OFFSET 0`;
  const rowsOf = (places: string) =>
    `SELECT found.* FROM (${places}) AS place CROSS JOIN LATERAL (${row}) AS found`;
  if (!foundOnce) return withTotal(totalOf(query), rowsOf(pageRows(place)), order);

  const matching = { ...place, from: 'matching', conditions: [], parts: [] };
  return `
    WITH matching AS MATERIALIZED (SELECT ${place.columns} FROM ${from} WHERE ${conditions.join(' AND ')})
    ${withTotal('(SELECT count(*)::int FROM matching)', rowsOf(pageRows(matching)), order)}`;
}
