import type { Request } from 'express';
import type { PageRequest } from '../../../kernel/page';
import { type ListOptions, toPageRequest } from '../../../platform/http/page-query';
import { queryText } from '../../../platform/pages/query-text';

const PAGE_SIZE = '50';

/** The part of a list that a page shows: its address walks on by cursor, so that nobody's writing shifts what is seen. */
export function listRequest<SortField extends string>(
  request: Request,
  options: ListOptions<SortField>,
): PageRequest<SortField> {
  const cursor = queryText(request, 'cursor');
  return toPageRequest({ limit: PAGE_SIZE, ...(cursor && { cursor }) }, options);
}
