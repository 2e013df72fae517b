import type { LeadId, SpaceId } from '../../../kernel/ids';
import type { PageRequest } from '../../../kernel/page';
import { idOf, oneOf, text } from '../../../platform/http/field-rules';
import { PageQuery, toPageRequest } from '../../../platform/http/page-query';
import { QueryParameter } from '../../../platform/http/query-parameter';
import { timeOrDay } from '../../calendar';
import type { HoldListInput } from '../application/hold-queries';
import { HOLD_STATUSES, type HoldStatus, MAX_GROUP_NAME } from '../domain/hold';

const TRUTH = ['true', 'false'] as const;

export class ListHoldsQuery extends PageQuery {
  @QueryParameter({ rule: oneOf(HOLD_STATUSES), description: 'In that status.' }) status?: HoldStatus;
  @QueryParameter({ rule: idOf('space'), description: 'For that space, among others.' }) spaceId?: SpaceId;
  @QueryParameter({ rule: idOf('lead'), description: 'Of that lead.' }) leadId?: LeadId;
  @QueryParameter({ rule: text(MAX_GROUP_NAME), description: 'In that group.' }) group?: string;
  @QueryParameter({
    rule: timeOrDay,
    description:
      'That end after that RFC 3339 time, or after the beginning of that day in the workspace’s time zone.',
  })
  from?: string;
  @QueryParameter({ rule: timeOrDay, description: 'That start before that time, or the end of that day.' })
  to?: string;
  @QueryParameter({
    rule: timeOrDay,
    description: 'That expire before that time, or the beginning of that day.',
  })
  expiresBefore?: string;
  @QueryParameter({
    rule: oneOf(TRUTH),
    description: '`true`: challenged holds alone; `false`: all others.',
  })
  challenged?: (typeof TRUTH)[number];
}

export function toHoldList(query: ListHoldsQuery): {
  input: HoldListInput;
  request: PageRequest<'startsAt'>;
} {
  const { status, spaceId, leadId, group, from, to, expiresBefore, challenged } = query;
  const input: HoldListInput = {
    ...{ status, spaceId, leadId, group, from, to, expiresBefore },
    challenged: challenged && challenged === 'true',
  };
  const request = toPageRequest(query, {
    list: 'holds',
    filters: input,
    sort: { field: 'startsAt', descending: false },
    kind: 'instant',
    idPrefix: 'hold',
  });
  return { input, request };
}
