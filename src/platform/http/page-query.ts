import { ValidationFailed } from '../../kernel/errors';
import { parseId } from '../../kernel/ids';
import {
  decodeCursor,
  DEFAULT_LIMIT,
  fingerprintOf,
  MAX_LIMIT,
  MAX_PAGE_BYTES,
  type PageRequest,
  type Sort,
  type SortKind,
} from '../../kernel/page';
import { QueryParameter, wholeNumber } from './query-parameter';

const MAX_PAGE = 1_000_000_000;

/** The parameters of every list. Parameters arrive as text, and are checked as such. */
export class PageQuery {
  @QueryParameter({ rule: wholeNumber(MAX_PAGE), default: 1, description: 'The page, counted from 1.' })
  page?: string;

  @QueryParameter({
    rule: wholeNumber(),
    default: DEFAULT_LIMIT,
    description: `The page size. More than ${MAX_LIMIT} is taken as ${MAX_LIMIT}. A page holds at most ${MAX_PAGE_BYTES / 1024 ** 2} MiB, so large items make it shorter.`,
  })
  limit?: string;

  @QueryParameter({
    description:
      'The `nextCursor` of the page before, with the same filters and sort, and without `page` or with `page=1`: walks any depth at the same cost, and skips and repeats nothing while others write.',
  })
  cursor?: string;
}

/** A list and how it is sorted; `filters` are all that narrow it. */
export interface ListOptions<SortField extends string> {
  list: string;
  filters?: object;
  sort: Sort<SortField>;
  kind: SortKind;
  /** Whether the sort field may be null. */
  nullable?: boolean;
  /** The prefix of the items' ids, or the pattern of other keys. */
  idPrefix: string | RegExp;
}

export function toPageRequest<SortField extends string>(
  query: PageQuery,
  { list, filters = {}, sort, kind, nullable, idPrefix }: ListOptions<SortField>,
): PageRequest<SortField> {
  const limit = Math.min(Number(query.limit ?? DEFAULT_LIMIT), MAX_LIMIT);
  const fingerprint = fingerprintOf(list, filters, sort);
  if (query.cursor === undefined) return { page: Number(query.page ?? 1), limit, sort, fingerprint };
  // Generated clients send the default of the schema along.
  if (query.page !== undefined && query.page !== '1') {
    throw new ValidationFailed({ field: 'page', message: 'must be left out, or 1, when there is a cursor' });
  }
  const isId = (text: string) =>
    typeof idPrefix === 'string' ? parseId(idPrefix, text) !== undefined : idPrefix.test(text);
  return { ...decodeCursor(query.cursor, { fingerprint, kind, nullable, isId }), limit, sort, fingerprint };
}
