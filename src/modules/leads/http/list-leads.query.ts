import type { PageRequest, SortKind } from '../../../kernel/page';
import type { LeadId, UserId } from '../../../kernel/ids';
import { parseInstant } from '../../../kernel/time';
import { date, email, idOf, instant, oneOf, rule, text } from '../../../platform/http/field-rules';
import { PageQuery, toPageRequest } from '../../../platform/http/page-query';
import { NamedParameters, QueryParameter } from '../../../platform/http/query-parameter';
import { LEAD_SORT_FIELDS, type GivenLeadFilter, type LeadSortField } from '../application/lead-queries';
import { OUTCOMES, type Outcome } from '../domain/stage';
import { stageKey } from './stage-key';

const ARCHIVED = ['false', 'true', 'all'] as const;
const ARCHIVED_PARAMETER = {
  rule: oneOf(ARCHIVED),
  default: 'false',
  description: '`true`: archived leads alone; `all`: both.',
};
const SORTS = LEAD_SORT_FIELDS.flatMap((name) => [name, `-${name}`]);
const DEFAULT_SORT = '-createdAt';
const SORT_KINDS: Record<LeadSortField, { kind: SortKind; nullable: boolean }> = {
  createdAt: { kind: 'instant', nullable: false },
  updatedAt: { kind: 'instant', nullable: false },
  eventDate: { kind: 'date', nullable: true },
  name: { kind: 'text', nullable: true },
};
const OWNER = idOf('user');
const owner = rule({ type: 'string', pattern: `${OWNER.schema.pattern}|^none$` }, (value) =>
  value === 'none' || !OWNER(value) ? undefined : 'must be a member’s id such as user_…, or none',
);
const wholeEmail = rule(email.schema, (value) => {
  const problem = email(value);
  return problem && `${problem} (encode a + in it as %2B in a query)`;
});

export class ListLeadsQuery extends PageQuery {
  @QueryParameter({ rule: stageKey, description: 'At that stage.' }) stage?: string;
  @QueryParameter({ rule: oneOf(OUTCOMES), description: 'At any stage with that outcome.' })
  outcome?: Outcome;
  @QueryParameter({
    rule: wholeEmail,
    description: 'The whole address, ignoring case. A `+` in it must be encoded as `%2B`.',
  })
  email?: string;
  @QueryParameter({ description: 'A whole tag, ignoring case.' }) tag?: string;
  @QueryParameter({ description: 'The whole source, ignoring case.' }) source?: string;
  @QueryParameter({ rule: text(255), description: 'Exactly that id in another system.' }) externalId?: string;
  @QueryParameter({ rule: owner, description: 'Of that member; `none`: of nobody.' }) ownerId?: string;
  @QueryParameter({ rule: date, description: 'On that day or later.' }) eventDateFrom?: string;
  @QueryParameter({ rule: date, description: 'On that day or sooner.' }) eventDateTo?: string;
  @QueryParameter({ rule: instant, description: 'Later than that.' }) createdAfter?: string;
  @QueryParameter({ rule: instant, description: 'Sooner than that.' }) createdBefore?: string;
  @NamedParameters({
    description:
      'By custom fields, one parameter for each: `custom.room=garden` for the field with the key `room`. Texts are compared as a whole, ignoring case; a `multi_select` has to contain the option.',
    example: { 'custom.room': 'garden' },
  })
  custom?: Record<string, string | string[]>;

  @QueryParameter({
    rule: instant,
    description:
      'Last changed later than that. For looking, not for synchronizing: a change gets its time before it is saved, so one with an earlier time may appear later. `GET /v1/changes` misses none.',
  })
  updatedAfter?: string;

  @QueryParameter(ARCHIVED_PARAMETER) archived?: (typeof ARCHIVED)[number];

  @QueryParameter({
    rule: text(200),
    description:
      'Every word of it occurs, ignoring case, somewhere in name, e-mail, phone or tags: such as `ana garden`.',
  })
  q?: string;

  @QueryParameter({
    rule: oneOf(SORTS),
    default: DEFAULT_SORT,
    description: '`-` in front: descending. Leads without a value come last either way.',
  })
  sort?: string;
}

export class ListDuplicatesQuery extends PageQuery {
  @QueryParameter(ARCHIVED_PARAMETER) archived?: (typeof ARCHIVED)[number];
}

/** Newest first. */
export function toDuplicatesRequest(id: LeadId, query: ListDuplicatesQuery) {
  const { archived = 'false' } = query;
  const request = toPageRequest(query, {
    list: 'lead-duplicates',
    filters: { id, archived },
    sort: { field: 'createdAt' as const, descending: true },
    ...SORT_KINDS.createdAt,
    idPrefix: 'lead',
  });
  return { archived, request };
}

export function toListRequest(query: ListLeadsQuery): {
  filter: GivenLeadFilter;
  request: PageRequest<LeadSortField>;
} {
  const {
    stage,
    outcome,
    email,
    tag,
    source,
    externalId,
    ownerId,
    eventDateFrom,
    eventDateTo,
    archived = 'false',
    q,
    sort = DEFAULT_SORT,
    custom,
  } = query;
  const filter: GivenLeadFilter = {
    stage,
    outcome,
    email,
    tag,
    source,
    externalId,
    ...(ownerId !== undefined && { owner: ownerId === 'none' ? null : (ownerId as UserId) }),
    eventDateFrom,
    eventDateTo,
    createdAfter: toInstant(query.createdAfter),
    // Leads have whole milliseconds, so before 0.5 ms means before 1 ms, and after 0.5 ms means after 0 ms.
    createdBefore: toInstant(query.createdBefore, 'up'),
    updatedAfter: toInstant(query.updatedAfter),
    archived,
    words: q === undefined ? undefined : [...new Set(q.trim().split(/\s+/u))],
    ...(custom && { custom }),
  };
  const sortField = sort.replace('-', '') as LeadSortField;
  const request = toPageRequest(query, {
    list: 'leads',
    filters: filter,
    sort: { field: sortField, descending: sort.startsWith('-') },
    ...SORT_KINDS[sortField],
    idPrefix: 'lead',
  });
  return { filter, request };
}

function toInstant(text: string | undefined, rounding?: 'up'): Date | undefined {
  return text === undefined ? undefined : parseInstant(text, rounding);
}
