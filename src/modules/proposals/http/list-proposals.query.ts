import { parseId } from '../../../kernel/ids';
import type { PageRequest } from '../../../kernel/page';
import { oneOf } from '../../../platform/http/field-rules';
import { PageQuery, toPageRequest } from '../../../platform/http/page-query';
import { QueryParameter } from '../../../platform/http/query-parameter';
import {
  PROPOSAL_SORT_FIELDS,
  type ProposalFilter,
  type ProposalSortField,
} from '../application/proposal-queries';
import { type ProposalStatus, STATUSES } from '../domain/proposal';

const ARCHIVED = ['false', 'true', 'all'] as const;
const SORTS = PROPOSAL_SORT_FIELDS.flatMap((name) => [name, `-${name}`]);
const DEFAULT_SORT = '-createdAt';

export class ListProposalsQuery extends PageQuery {
  @QueryParameter({ description: 'Offered to that lead.' }) leadId?: string;
  @QueryParameter({ rule: oneOf(STATUSES), description: 'In that status.' }) status?: ProposalStatus;

  @QueryParameter({
    rule: oneOf(ARCHIVED),
    default: 'false',
    description: '`true`: archived proposals alone; `all`: both.',
  })
  archived?: (typeof ARCHIVED)[number];

  @QueryParameter({ rule: oneOf(SORTS), default: DEFAULT_SORT, description: '`-` in front: descending.' })
  sort?: string;
}

export function toListRequest(query: ListProposalsQuery): {
  filter: ProposalFilter;
  request: PageRequest<ProposalSortField>;
} {
  const { status, archived = 'false', sort = DEFAULT_SORT } = query;
  const leadId = query.leadId === undefined ? undefined : (parseId('lead', query.leadId) ?? null);
  const filter: ProposalFilter = { leadId, status, archived };
  const request = toPageRequest(query, {
    list: 'proposals',
    filters: filter,
    sort: { field: sort.replace('-', '') as ProposalSortField, descending: sort.startsWith('-') },
    kind: 'instant',
    idPrefix: 'prop',
  });
  return { filter, request };
}
