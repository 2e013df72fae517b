import type { Request } from 'express';
import type { PageRequest } from '../../../kernel/page';
import { type ListOptions, toPageRequest } from '../../../platform/http/page-query';
import { queryText } from '../../../platform/pages/query-text';

const PAGE_SIZE = '50';

/** The page of a list that an address asks for. Cursors keep rows from shifting between pages while others write. */
export function listRequest<SortField extends string>(
  request: Request,
  options: ListOptions<SortField>,
): PageRequest<SortField> {
  const cursor = queryText(request, 'cursor');
  return toPageRequest({ limit: PAGE_SIZE, ...(cursor && { cursor }) }, options);
}
