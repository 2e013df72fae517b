import type { UserId } from '../../../kernel/ids';
import type { PageRequest } from '../../../kernel/page';
import { isTimeZone } from '../../../kernel/time-zone';
import { idOf, oneOf, plannableDate, rule, text } from '../../../platform/http/field-rules';
import { PageQuery, toPageRequest } from '../../../platform/http/page-query';
import { QueryParameter } from '../../../platform/http/query-parameter';
import type { ReportInput } from '../application/report-queries';
import {
  BASES,
  FUNNEL_BASES,
  type FunnelBasis,
  type GroupBy,
  GROUPS,
  type LeadsOf,
  type OutcomeBasis,
  RESPONSE_GROUPS,
} from '../application/report-reader';
import { type Interval, INTERVALS, MAX_BUCKETS, MAX_DAYS } from '../domain/buckets';

const NOBODY = 'none';

const timeZone = rule({ type: 'string', pattern: '^[A-Za-z0-9_+/-]+$' }, (value) =>
  isTimeZone(value as string) ? undefined : 'must be a tz database name such as Europe/Madrid',
);
const owner = rule({ type: 'string', pattern: `^(none|user_[0-7][0-9a-hjkmnp-tv-z]{25})$` }, (value) =>
  value === NOBODY || !idOf('user')(value) ? undefined : `must be an id such as user_…, or ${NOBODY}`,
);

const SOURCE = { rule: text(100), description: 'Leads from that source, ignoring case.' };
const OWNER = { rule: owner, description: 'Leads of that member, or of nobody (`none`).' };
const TAG = { rule: text(50), description: 'Leads that have that tag, ignoring case.' };

class PeriodQuery {
  @QueryParameter({
    rule: plannableDate,
    presence: 'required',
    description: 'The first day.',
    example: '2027-01-01',
  })
  from!: string;
  @QueryParameter({
    rule: plannableDate,
    presence: 'required',
    description: `The last day, which is included. At most ${MAX_DAYS} days.`,
    example: '2027-01-31',
  })
  to!: string;
  @QueryParameter({ rule: timeZone, description: 'Of the days; by default the workspace’s.' })
  timeZone?: string;
  @QueryParameter(SOURCE) source?: string;
  @QueryParameter(OWNER) ownerId?: string;
  @QueryParameter(TAG) tag?: string;
}

export class FunnelQuery extends PeriodQuery {
  @QueryParameter({
    rule: oneOf(FUNNEL_BASES),
    default: 'created',
    description:
      '`created`: each lead that was created in the period, once for a stage. `entered`: each stay that began in the period.',
  })
  basis?: FunnelBasis;
}

class IntervalQuery extends PeriodQuery {
  @QueryParameter({
    rule: oneOf(INTERVALS),
    default: 'none',
    description: `A row for each. Weeks begin on Monday. At most ${MAX_BUCKETS} rows for each group.`,
  })
  interval?: Interval;
}

const GROUP_BY = {
  default: 'none',
  description: 'A row for each. Beyond the 100 largest, all others are one (`isOther`).',
};

export class ResponsesQuery extends IntervalQuery {
  @QueryParameter({ ...GROUP_BY, rule: oneOf(RESPONSE_GROUPS) })
  groupBy?: (typeof RESPONSE_GROUPS)[number];
}

export class OutcomesQuery extends IntervalQuery {
  @QueryParameter({ ...GROUP_BY, rule: oneOf(GROUPS) }) groupBy?: GroupBy;
  @QueryParameter({
    rule: oneOf(BASES),
    default: 'closed',
    description:
      '`closed`: won and lost leads count when they became so. `created`: all count when they were created.',
  })
  basis?: OutcomeBasis;
}

export class UnansweredQuery extends PageQuery {
  @QueryParameter(SOURCE) source?: string;
  @QueryParameter(OWNER) ownerId?: string;
  @QueryParameter(TAG) tag?: string;
}

export function toReportInput({
  interval = 'none',
  groupBy = 'none',
  ...query
}: IntervalQuery & { groupBy?: GroupBy }): ReportInput {
  return { ...toPeriod(query), interval, groupBy };
}

export function toUnanswered(query: UnansweredQuery): { leads: LeadsOf; request: PageRequest } {
  const leads = toLeads(query);
  const request = toPageRequest(query, {
    list: 'unanswered',
    filters: leads,
    sort: { field: 'awaitingReplySince', descending: false },
    kind: 'instant',
    idPrefix: 'lead',
  });
  return { leads, request };
}

/** A period and the leads that it is narrowed to. */
export function toPeriod({ from, to, timeZone, ...query }: PeriodQuery) {
  return { from, to, timeZone, ...toLeads(query) };
}

function toLeads({ source, ownerId, tag }: Pick<PeriodQuery, 'source' | 'ownerId' | 'tag'>): LeadsOf {
  return { source, tag, ownerId: ownerId === NOBODY ? null : (ownerId as UserId | undefined) };
}
