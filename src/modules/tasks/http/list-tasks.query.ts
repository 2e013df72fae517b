import type { LeadId, UserId } from '../../../kernel/ids';
import type { PageRequest } from '../../../kernel/page';
import { idOf, oneOf, plannableDate, rule } from '../../../platform/http/field-rules';
import { PageQuery, toPageRequest } from '../../../platform/http/page-query';
import { QueryParameter } from '../../../platform/http/query-parameter';
import type { TaskListInput } from '../application/task-queries';
import { TASK_SORT_FIELDS, type TaskSortField } from '../application/task-repository';
import { TASK_STATUSES, type TaskStatus } from '../domain/task';

const ARCHIVED = ['false', 'true', 'all'] as const;
const TRUTH = ['true', 'false'] as const;
const SORTS = TASK_SORT_FIELDS.flatMap((name) => [name, `-${name}`]);
const DEFAULT_SORT = 'due';
const NOBODY = 'none';

const memberId = idOf('user');
const memberOrNobody = rule(
  { ...memberId.schema, pattern: `^(${NOBODY}|${memberId.schema.pattern!.slice(1, -1)})$` },
  (value) =>
    value === NOBODY || memberId(value) === undefined ? undefined : `${memberId(value)}, or ${NOBODY}`,
);

export class ListTasksQuery extends PageQuery {
  @QueryParameter({ rule: idOf('lead'), description: 'Of that lead.' }) leadId?: LeadId;
  @QueryParameter({ rule: memberOrNobody, description: 'Assigned to that member; `none`: to nobody.' })
  assigneeId?: UserId | typeof NOBODY;
  @QueryParameter({ rule: oneOf(TASK_STATUSES), description: 'In that status.' }) status?: TaskStatus;
  @QueryParameter({
    rule: plannableDate,
    description: 'Due on that day of the workspace’s time zone or later.',
  })
  dueFrom?: string;
  @QueryParameter({ rule: plannableDate, description: 'Due on that day or sooner.' }) dueTo?: string;
  @QueryParameter({
    rule: oneOf(TRUTH),
    description: '`true`: open tasks whose due time has passed alone; `false`: all others.',
  })
  overdue?: (typeof TRUTH)[number];
  @QueryParameter({
    rule: oneOf(ARCHIVED),
    default: 'false',
    description: '`true`: archived tasks alone; `all`: both.',
  })
  archived?: (typeof ARCHIVED)[number];
  @QueryParameter({
    rule: oneOf(SORTS),
    default: DEFAULT_SORT,
    description: '`-` in front: descending. Tasks without a due time come last either way.',
  })
  sort?: string;
}

export function toTaskList(query: ListTasksQuery): {
  input: TaskListInput;
  request: PageRequest<TaskSortField>;
} {
  const { leadId, assigneeId, status, dueFrom, dueTo, overdue, archived = 'false' } = query;
  const { sort = DEFAULT_SORT } = query;
  const input: TaskListInput = {
    leadId,
    assigneeId: assigneeId === NOBODY ? null : assigneeId,
    status,
    dueFrom,
    dueTo,
    overdue: overdue && overdue === 'true',
    archived,
  };
  const field = sort.replace('-', '') as TaskSortField;
  const request = toPageRequest(query, {
    list: 'tasks',
    filters: input,
    sort: { field, descending: sort.startsWith('-') },
    kind: 'instant',
    nullable: field === 'due',
    idPrefix: 'task',
  });
  return { input, request };
}
