import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { LeadId, UserId } from '../../../kernel/ids';
import { Check, type CheckOptions } from '../../../platform/http/check';
import { resourceFields } from '../../../platform/http/field';
import { idOf, plannableDate, plannableInstant, text } from '../../../platform/http/field-rules';
import { exampleId, PathId } from '../../../platform/http/path-id';
import { REVISION, TIME, TIME_OR_NULL } from '../../../platform/openapi/common-responses';
import {
  type Completer,
  MAX_NOTES,
  MAX_TITLE,
  TASK_STATUSES,
  type TaskStatus,
  type TaskView,
} from '../domain/task';

export const TASK = new PathId('task', 'task');
export const LEAD = new PathId('lead', 'lead');
const MEMBER = exampleId('user');

const COMPLETER_TYPES: Completer['type'][] = ['api_key', 'oauth', 'user', 'operator'];

const { field, shown } = resourceFields({
  leadId: { rule: idOf('lead'), description: 'Whose next step it is.', example: LEAD.example },
  title: { rule: text(MAX_TITLE), example: 'Send the menu' },
  notes: { rule: text(MAX_NOTES), description: 'Plain text.', example: 'The vegetarian one.' },
  dueOn: {
    rule: plannableDate,
    description:
      'The day by which it is to be done, in the workspace’s time zone. Announced at 09:00 of it, overdue when it has ended.',
    example: '2027-02-01',
  },
  dueAt: {
    rule: plannableInstant,
    description: 'Instead of a day: the instant. Announced then, and overdue from then on.',
    example: '2027-02-01T16:00:00.000Z',
  },
  assigneeId: {
    rule: idOf('user'),
    description: 'Who is to do it: a member of the workspace.',
    example: MEMBER,
  },
});

interface DueBody {
  dueOn?: string | null;
  dueAt?: string | null;
}

const oneDueTime: CheckOptions<DueBody> = {
  fields: ['dueOn', 'dueAt'],
  problems: ({ dueOn, dueAt }) =>
    dueOn && dueAt ? [{ field: 'dueAt', message: 'must be left out when dueOn is given' }] : [],
  schema: {
    not: {
      required: ['dueOn', 'dueAt'],
      properties: { dueOn: { type: 'string' }, dueAt: { type: 'string' } },
    },
  },
};

@Check(oneDueTime)
export class CreateTaskBody {
  @field('title', 'required') title!: string;
  @field('leadId', 'nullable') leadId?: LeadId | null;
  @field('notes', 'nullable') notes?: string | null;
  @field('dueOn', 'nullable') dueOn?: string | null;
  @field('dueAt', 'nullable') dueAt?: string | null;
  @field('assigneeId', 'nullable') assigneeId?: UserId | null;
}

/** Null clears a field, except for `title`. */
@Check(oneDueTime)
export class UpdateTaskBody {
  @field('title', 'optional') title?: string;
  @field('leadId', 'nullable') leadId?: LeadId | null;
  @field('notes', 'nullable') notes?: string | null;
  @field('dueOn', 'nullable') dueOn?: string | null;
  @field('dueAt', 'nullable') dueAt?: string | null;
  @field('assigneeId', 'nullable') assigneeId?: UserId | null;
}

@ApiSchema({ name: 'TaskCompleter', description: 'Who completed the task.' })
class CompleterResponse implements Record<keyof Completer, unknown> {
  @ApiProperty({ enum: COMPLETER_TYPES, example: 'user' }) type!: Completer['type'];
  @ApiProperty({ type: String, nullable: true, example: MEMBER }) id!: string | null;
  @ApiProperty({ description: 'The name of a key or app, or a person’s email.', example: 'eva@example.com' })
  name!: string;
}

@ApiSchema({ name: 'Task' })
export class TaskResponse implements Record<keyof TaskView, unknown> {
  @ApiProperty({ example: TASK.example }) id!: string;
  @shown('leadId', { nullable: true }) leadId!: string | null;
  @shown('title') title!: string;
  @shown('notes', { nullable: true }) notes!: string | null;
  @shown('dueOn', { nullable: true }) dueOn!: string | null;
  @shown('dueAt', { nullable: true, example: null }) dueAt!: Date | null;
  @ApiProperty({
    ...TIME_OR_NULL,
    description:
      'When it becomes overdue, if it is open still: `dueAt`, or the end of `dueOn` in the time zone that the workspace had when that was set.',
    example: '2027-02-01T23:00:00.000Z',
  })
  overdueAt!: Date | null;
  @shown('assigneeId', { nullable: true }) assigneeId!: string | null;
  @ApiProperty({ enum: TASK_STATUSES, example: 'open' }) status!: TaskStatus;
  @ApiProperty(TIME_OR_NULL) completedAt!: Date | null;
  @ApiProperty({ type: CompleterResponse, nullable: true, example: null })
  completedBy!: CompleterResponse | null;
  @ApiProperty({ ...TIME_OR_NULL, description: 'Set while the task is archived.' }) archivedAt!: Date | null;
  @ApiProperty(TIME) createdAt!: Date;
  @ApiProperty(TIME) updatedAt!: Date;
  @ApiProperty(REVISION) revision!: number;
}
