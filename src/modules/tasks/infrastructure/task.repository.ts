import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../../../kernel/domain-event';
import { fromUuid, toUuid, type UserId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { readSlice } from '../../../platform/persistence/keyset';
import { isArchived, Parameters } from '../../../platform/persistence/parameters';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import {
  type ListedTask,
  type TaskFilter,
  TaskRepository,
  type TaskSortField,
} from '../application/task-repository';
import type { Task, TaskId, TaskView } from '../domain/task';
import { TaskSchema } from './task.schema';

const SORT_COLUMNS = { due: 'announcedFrom', createdAt: 'createdAt' } as const;
const DUE = `status = 'open' AND archived_at IS NULL AND NOT is_announced AND announced_from <= $1`;

@Injectable()
export class PostgresTaskRepository extends TaskRepository {
  private readonly statements: EntityStatements<Task>;

  constructor(private readonly database: Database) {
    super();
    this.statements = database.statements(TaskSchema);
  }

  async add(task: Task, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.insert(task), events));
  }

  async lock(ref: WorkspaceRef, id: TaskId): Promise<Task | undefined> {
    const statement = `${this.statements.selectByKey} FOR NO KEY UPDATE`;
    const [row] = await this.database.sql<object>(statement, workspaceKey(ref, id));
    return row && this.statements.read(row);
  }

  async save(task: Task, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.update(task), events));
  }

  async find(ref: WorkspaceRef, id: TaskId): Promise<TaskView | undefined> {
    const [row] = await this.database.sql<object>(this.statements.selectByKey, workspaceKey(ref, id));
    return row && this.statements.read(row).view();
  }

  list(
    ref: WorkspaceRef,
    filter: TaskFilter,
    request: PageRequest<TaskSortField>,
  ): Promise<Slice<ListedTask>> {
    const parameters = new Parameters();
    const conditions = conditionsOf(ref, filter, parameters);
    const source = this.statements.sortedBy(SORT_COLUMNS[request.sort.field]);
    return readSlice(this.database, { ...source, conditions, parameters, request }, (row) => {
      const task = this.statements.read(row);
      return { view: task.view(), announcedFrom: task.announcedFrom };
    });
  }

  lockDue(now: Date, atMost: number): Promise<Task[]> {
    return this.all(`${DUE} ORDER BY announced_from LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`, [now, atMost]);
  }

  async lockDueOfSamePeople(tasks: readonly Task[], now: Date, atMost: number): Promise<Task[]> {
    const assigned = tasks.filter(({ mode, assigneeId }) => mode === 'live' && assigneeId !== null);
    if (assigned.length === 0) return [];
    // A transaction doesn't skip what it has locked itself.
    return this.all(
      `${DUE} AND mode = 'live' AND id <> ALL ($3::uuid[])
       AND (workspace_id, assignee_id) IN (SELECT * FROM unnest($4::uuid[], $5::uuid[]))
       ORDER BY workspace_id, assignee_id, announced_from LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`,
      [
        ...[now, atMost, tasks.map(({ id }) => toUuid(id))],
        assigned.map(({ workspaceId }) => toUuid(workspaceId)),
        assigned.map(({ assigneeId }) => toUuid(assigneeId!)),
      ],
    );
  }

  async saveAnnounced(tasks: readonly Task[], events: readonly DomainEvent[]): Promise<void> {
    const text = `UPDATE tasks SET is_announced = true
      FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS due (workspace_id, mode, id)
      WHERE (tasks.workspace_id, tasks.mode, tasks.id) = (due.workspace_id, due.mode, due.id)`;
    const values = [
      tasks.map(({ workspaceId }) => toUuid(workspaceId)),
      tasks.map(({ mode }) => mode),
      tasks.map(({ id }) => toUuid(id)),
    ];
    // Each number of events is a text of its own, which isn't worth preparing.
    await this.database.query({ ...withEvents({ text, values }, events), plannedAnew: true });
  }

  /** In the order of the assignees' index. */
  async idsAssignedTo(ref: WorkspaceRef, assigneeId: UserId, atMost: number): Promise<TaskId[]> {
    const rows = await this.database.sql<{ id: string }>(
      `SELECT id FROM tasks WHERE ${IN_WORKSPACE} AND assignee_id = $3 ORDER BY announced_from, id LIMIT $4`,
      [...workspaceKey(ref, assigneeId), atMost],
    );
    return rows.map(({ id }) => fromUuid('task', id));
  }

  lockAssignedTo(ref: WorkspaceRef, assigneeId: UserId, ids: readonly TaskId[]): Promise<Task[]> {
    return this.all(
      `${IN_WORKSPACE} AND assignee_id = $3 AND id = ANY($4::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
      [...workspaceKey(ref, assigneeId), ids.map(toUuid)],
    );
  }

  private async all(conditions: string, values: unknown[]): Promise<Task[]> {
    const rows = await this.database.sql<object>(`${this.statements.select} WHERE ${conditions}`, values);
    return rows.map(this.statements.read);
  }
}

function conditionsOf(
  ref: WorkspaceRef,
  { leadId, assigneeId, status, dueFrom, dueBefore, overdue, archived }: TaskFilter,
  parameters: Parameters,
): string[] {
  return [
    ...parameters.inWorkspace(ref),
    ...isArchived(archived),
    ...parameters.when(leadId && toUuid(leadId), (place) => `lead_id = ${place}`),
    ...(assigneeId === null ? ['assignee_id IS NULL'] : []),
    ...parameters.when(assigneeId ? toUuid(assigneeId) : undefined, (place) => `assignee_id = ${place}`),
    // Literal, since the indexes of open tasks can't be used with a parameter.
    ...(status ? [`status = '${status}'`] : []),
    ...parameters.when(dueFrom, (at) => `announced_from >= ${at}::timestamptz`),
    ...parameters.when(dueBefore, (at) => `announced_from < ${at}::timestamptz`),
    ...overdueConditions(overdue, parameters),
  ];
}

/** The first condition of overdue tasks excludes no row that the others don't, but is a range of the index of open tasks. */
function overdueConditions(overdue: TaskFilter['overdue'], parameters: Parameters): string[] {
  if (!overdue) return [];
  const now = `${parameters.add(overdue.now)}::timestamptz`;
  if (overdue.is) return [`announced_from <= ${now}`, `overdue_at <= ${now}`, `status = 'open'`];
  return [`(overdue_at > ${now} OR overdue_at IS NULL OR status = 'done')`];
}
