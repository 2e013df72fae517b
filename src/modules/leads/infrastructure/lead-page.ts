import {
  cutToSize,
  type ListQuery,
  offsetOf,
  orderOf,
  pageRows,
  totalOf,
  withTotal,
} from '../../../platform/persistence/keyset';
import { MAX_PAGE_BYTES } from '../../../kernel/page';

/** More than any lead takes as JSON: 4,509 characters of at most 6 bytes, 8 KiB of custom values, and what surrounds them. */
export const MAX_LEAD_BYTES = 40 * 1024;

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
 * selected by sort column and id, which an index contains, before whole rows are read. Its rows are measured only if as many
 * of the largest leads wouldn't fit, which takes a third of the statement's time.
 */
export function leadPage(query: LeadListQuery): string {
  const { columns, from, conditions, owner, request, sort } = query;
  const order = orderOf(sort, request);
  const fitting = (page: string) =>
    request.limit * MAX_LEAD_BYTES > MAX_PAGE_BYTES ? cutToSize(page, order) : page;
  const foundOnce = query.foundOnce && !request.isUncounted;
  if (!foundOnce && offsetOf(request) === 0)
    return withTotal(totalOf(query), fitting(pageRows(query)), order);

  const place = { ...query, columns: `${sort.column}, id` };
  // Without OFFSET the planner reads the whole table, because it can't estimate how few places there are.
  const row = `SELECT ${columns} FROM ${from} WHERE ${owner.join(' AND ')} AND id = place.id OFFSET 0`;
  const rowsOf = (places: string) =>
    fitting(`SELECT found.* FROM (${places}) AS place CROSS JOIN LATERAL (${row}) AS found`);
  if (!foundOnce) return withTotal(totalOf(query), rowsOf(pageRows(place)), order);

  const matching = { ...place, from: 'matching', conditions: [], parts: [] };
  return `
    WITH matching AS MATERIALIZED (SELECT ${place.columns} FROM ${from} WHERE ${conditions.join(' AND ')})
    ${withTotal('(SELECT count(*)::int FROM matching)', rowsOf(pageRows(matching)), order)}`;
}
