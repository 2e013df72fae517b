import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { PageRequest, SortKind } from '../../../kernel/page';
import { parseInstant } from '../../../kernel/time';
import { Field } from '../../../platform/http/field';
import { date, email, instant, oneOf, type Rule, rule, text } from '../../../platform/http/field-rules';
import { PageQuery, toPageRequest } from '../../../platform/http/page-query';
import { parameter } from '../../../platform/http/parameter-rules';
import { LEAD_SORT_FIELDS, type LeadFilter, type LeadSortField } from '../application/lead-queries';
import { type Stage, STAGES } from '../domain/lead';

const ARCHIVED = ['false', 'true', 'all'] as const;
const SORTS = LEAD_SORT_FIELDS.flatMap((name) => [name, `-${name}`]);
const DEFAULT_SORT = '-createdAt';
const SORT_KINDS: Record<LeadSortField, { kind: SortKind; nullable: boolean }> = {
  createdAt: { kind: 'instant', nullable: false },
  updatedAt: { kind: 'instant', nullable: false },
  eventDate: { kind: 'date', nullable: true },
  name: { kind: 'text', nullable: true },
};
const MAX_SEARCH_LENGTH = 200;
const anyText: Rule = () => undefined;
const wholeEmail = rule(email.schema!, (value) => {
  const problem = email(value);
  return problem && `${problem} (encode a + in it as %2B in a query)`;
});

const filter = (rule: Rule, schema: ApiPropertyOptions) =>
  Field({ rule: parameter(rule), presence: 'optional', schema });

export class ListLeadsQuery extends PageQuery {
  @filter(oneOf(STAGES), { enum: [...STAGES], description: 'At that stage.' }) stage?: Stage;
  @filter(wholeEmail, {
    type: String,
    description: 'The whole address, ignoring case. A `+` in it must be encoded as `%2B`.',
  })
  email?: string;
  @filter(anyText, { type: String, description: 'A whole tag, ignoring case.' }) tag?: string;
  @filter(anyText, { type: String, description: 'The whole source, ignoring case.' }) source?: string;
  @filter(date, { type: String, format: 'date', description: 'On that day or later.' })
  eventDateFrom?: string;
  @filter(date, { type: String, format: 'date', description: 'On that day or sooner.' }) eventDateTo?: string;
  @filter(instant, { type: String, format: 'date-time', description: 'Later than that.' })
  createdAfter?: string;
  @filter(instant, { type: String, format: 'date-time', description: 'Sooner than that.' })
  createdBefore?: string;
  @filter(instant, {
    type: String,
    format: 'date-time',
    description:
      'Later than that. Changes that were begun earlier may still appear with an earlier time: follow events to miss none.',
  })
  updatedAfter?: string;

  @filter(oneOf(ARCHIVED), {
    enum: [...ARCHIVED],
    default: 'false',
    description: '`true`: archived leads alone; `all`: both.',
  })
  archived?: (typeof ARCHIVED)[number];

  @filter(text(MAX_SEARCH_LENGTH), {
    type: String,
    maxLength: MAX_SEARCH_LENGTH,
    description:
      'Every word of it occurs, ignoring case, somewhere in name, e-mail, phone or tags: such as `ana garden`.',
  })
  q?: string;

  @filter(oneOf(SORTS), {
    enum: SORTS,
    default: DEFAULT_SORT,
    description: '`-` in front: descending. Leads without a value come last either way.',
  })
  sort?: string;
}

export function toListRequest(query: ListLeadsQuery): {
  filter: LeadFilter;
  request: PageRequest<LeadSortField>;
} {
  const {
    stage,
    email,
    tag,
    source,
    eventDateFrom,
    eventDateTo,
    archived = 'false',
    q,
    sort = DEFAULT_SORT,
  } = query;
  const filter: LeadFilter = {
    stage,
    email,
    tag,
    source,
    eventDateFrom,
    eventDateTo,
    createdAfter: toInstant(query.createdAfter),
    // Leads' times are whole milliseconds: before 0.5 ms is before 1 ms, later than 0.5 ms is later than 0 ms.
    createdBefore: toInstant(query.createdBefore, 'up'),
    updatedAfter: toInstant(query.updatedAfter),
    archived,
    words: q === undefined ? undefined : [...new Set(q.trim().split(/\s+/u))],
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
