import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { actorOf } from '../../../kernel/actor';
import type { Page } from '../../../kernel/page';
import type { Precondition } from '../../../kernel/precondition';
import type { Principal } from '../../../kernel/principal';
import { parseInstant } from '../../../kernel/time';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { IfMatch } from '../../../platform/http/if-match.decorator';
import { Describe, DescribeGroup, DescribeList } from '../../../platform/openapi/describe';
import { ChangeTask } from '../application/change-task';
import { CreateTask } from '../application/create-task';
import { TaskQueries } from '../application/task-queries';
import type { NewTask, TaskFields, TaskView } from '../domain/task';
import { ListTasksQuery, toTaskList } from './list-tasks.query';
import { CreateTaskBody, LEAD, TASK, TaskResponse, UpdateTaskBody } from './task.dto';

const WHEN = '2027-01-16T11:00:00.000Z';
const ARCHIVED = { field: 'archivedAt', message: 'an archived task can’t be changed; restore it first' };
const NOT_A_MEMBER = { field: 'assigneeId', message: 'is not a member of this workspace' };

@Controller('/v1/tasks')
@DescribeGroup({ name: 'Tasks', description: 'Next steps, of leads or of the workspace.' })
export class TasksController {
  constructor(
    private readonly createTask: CreateTask,
    private readonly changeTask: ChangeTask,
    private readonly queries: TaskQueries,
  ) {}

  @Post()
  @RequireScope('tasks:write')
  @Describe({
    operationId: 'createTask',
    summary: 'Create a task',
    description:
      'Only `title` is required. It is due on a day (`dueOn`), at an instant (`dueAt`), or neither.',
    status: 201,
    request: { title: 'Send the menu', leadId: LEAD.example, dueOn: '2027-02-01' },
    response: TaskResponse,
    invalid: NOT_A_MEMBER,
  })
  create(@Caller() caller: Principal, @Body() body: CreateTaskBody): Promise<TaskView> {
    const given = Object.entries(fieldsOf(body)).filter(([, value]) => value !== null);
    return this.createTask.execute(caller, Object.fromEntries(given) as unknown as NewTask);
  }

  @Get()
  @RequireScope('tasks:read')
  @DescribeList({
    operationId: 'listTasks',
    summary: 'List tasks',
    description:
      'All that match every given filter, the earliest due first unless sorted otherwise. Archived tasks are left out unless asked for.',
    item: TaskResponse,
    list: 'TaskList',
  })
  list(@Caller() caller: Principal, @Query() query: ListTasksQuery): Promise<Page<TaskView>> {
    const { input, request } = toTaskList(query);
    return this.queries.list(caller, input, request);
  }

  @Get(':id')
  @RequireScope('tasks:read')
  @Describe({
    operationId: 'getTask',
    summary: 'Get a task',
    description: 'Archived ones too.',
    object: TASK,
    response: TaskResponse,
  })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<TaskView> {
    return this.queries.get(caller, TASK.read(id));
  }

  @Patch(':id')
  @RequireScope('tasks:write')
  @Describe({
    operationId: 'updateTask',
    summary: 'Update a task',
    description:
      'Changes the given fields alone; `null` clears any but `title`. A new due time replaces the one before, and is announced again.',
    object: TASK,
    request: { dueOn: '2027-02-03' },
    response: TaskResponse,
    answer: { dueOn: '2027-02-03', overdueAt: '2027-02-03T23:00:00.000Z', updatedAt: WHEN, revision: 2 },
    invalid: ARCHIVED,
  })
  update(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: UpdateTaskBody,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<TaskView> {
    return this.changeTask.update(caller, TASK.read(id), fieldsOf(body), seen);
  }

  @Delete(':id')
  @RequireScope('tasks:write')
  @Describe({
    operationId: 'archiveTask',
    summary: 'Archive a task',
    description:
      'It isn’t announced any more. It can still be read and be restored; lists leave it out. Archiving it again changes nothing.',
    object: TASK,
    response: TaskResponse,
    answer: { archivedAt: WHEN, updatedAt: WHEN, revision: 2 },
  })
  archive(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<TaskView> {
    return this.changeTask.archive(caller, TASK.read(id), seen);
  }

  @Post(':id/complete')
  @HttpCode(200)
  @RequireScope('tasks:write')
  @Describe({
    operationId: 'completeTask',
    summary: 'Complete a task',
    description: 'A task that is done is left as it is.',
    object: TASK,
    response: TaskResponse,
    answer: { status: 'done', completedAt: WHEN, updatedAt: WHEN, revision: 2 },
    invalid: ARCHIVED,
  })
  complete(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<TaskView> {
    return this.changeTask.complete(caller, actorOf(caller), TASK.read(id), seen);
  }

  @Post(':id/reopen')
  @HttpCode(200)
  @RequireScope('tasks:write')
  @Describe({
    operationId: 'reopenTask',
    summary: 'Reopen a task',
    description: 'An open task is left as it is.',
    object: TASK,
    response: TaskResponse,
    answer: { updatedAt: WHEN, revision: 3 },
    invalid: ARCHIVED,
  })
  reopen(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<TaskView> {
    return this.changeTask.reopen(caller, TASK.read(id), seen);
  }

  @Post(':id/restore')
  @HttpCode(200)
  @RequireScope('tasks:write')
  @Describe({
    operationId: 'restoreTask',
    summary: 'Restore an archived task',
    description: 'One that isn’t archived is left as it is.',
    object: TASK,
    response: TaskResponse,
    answer: { updatedAt: '2027-01-17T08:15:00.000Z', revision: 3 },
  })
  restore(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<TaskView> {
    return this.changeTask.restore(caller, TASK.read(id), seen);
  }
}

function fieldsOf({ dueAt, ...rest }: UpdateTaskBody): Partial<TaskFields> {
  if (dueAt === undefined) return rest;
  return { ...rest, dueAt: dueAt === null ? null : parseInstant(dueAt)! };
}
