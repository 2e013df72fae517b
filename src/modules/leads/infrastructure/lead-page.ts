import {
  cutToSize,
  type ListQuery,
  offsetOf,
  orderOf,
  pageRows,
  totalOf,
  withTotal,
} from '../../../platform/persistence/keyset';

interface LeadListQuery extends ListQuery {
  /** Conditions that identify one row, together with an id. */
  readonly owner: readonly string[];
  /**
   * Finds the rows once for both the total and the page, because they are expensive to find and no index has their order.
   * Without a total it is left to the planner: of many rows, each page of a whole list would find all of them again.
   */
  readonly foundOnce: boolean;
}

/**
 * A page of leads with their total. It differs from other lists in that pages by offset, and rows that are found once, are
 * selected by sort column and id, which an index contains, before whole rows are read.
 */
export function leadPage(query: LeadListQuery): string {
  const { columns, from, conditions, owner, request, sort } = query;
  const order = orderOf(sort, request);
  const foundOnce = query.foundOnce && !request.isUncounted;
  if (!foundOnce && offsetOf(request) === 0)
    return withTotal(totalOf(query), cutToSize(pageRows(query), order), order);

  const place = { ...query, columns: `${sort.column}, id` };
  // Without OFFSET the planner reads the whole table, because it can't estimate how few places there are.
  const row = `SELECT ${columns} FROM ${from} WHERE ${owner.join(' AND ')} AND id = place.id OFFSET 0`;
  const rowsOf = (places: string) =>
    cutToSize(`SELECT found.* FROM (${places}) AS place CROSS JOIN LATERAL (${row}) AS found`, order);
  if (!foundOnce) return withTotal(totalOf(query), rowsOf(pageRows(place)), order);

  const matching = { ...place, from: 'matching', conditions: [], parts: [] };
  return `
    WITH matching AS MATERIALIZED (SELECT ${place.columns} FROM ${from} WHERE ${conditions.join(' AND ')})
    ${withTotal('(SELECT count(*)::int FROM matching)', rowsOf(pageRows(matching)), order)}`;
}
