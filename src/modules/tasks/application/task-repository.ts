import type { DomainEvent } from '../../../kernel/domain-event';
import type { LeadId, UserId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Task, TaskId, TaskStatus, TaskView } from '../domain/task';

export const TASK_SORT_FIELDS = ['due', 'createdAt'] as const;
export type TaskSortField = (typeof TASK_SORT_FIELDS)[number];

/** Each given condition narrows the list further. */
export interface TaskFilter {
  leadId?: LeadId;
  /** Null for tasks without an assignee. */
  assigneeId?: UserId | null;
  status?: TaskStatus;
  /** Due at this instant or later, by the time of the announcement. */
  dueFrom?: Date;
  /** Due before this instant. */
  dueBefore?: Date;
  /** Whether the task is open and was due before `now`. */
  overdue?: { is: boolean; now: Date };
  archived: 'false' | 'true' | 'all';
}

/** An item of a list, with the value that a list sorted by `due` is sorted by. */
export interface ListedTask {
  readonly view: TaskView;
  readonly announcedFrom: Date | null;
}

export abstract class TaskRepository {
  abstract add(task: Task, events: DomainEvent[]): Promise<void>;
  /** Reads a task and locks it until the unit of work ends. */
  abstract lock(ref: WorkspaceRef, id: TaskId): Promise<Task | undefined>;
  /** Writes a locked task. */
  abstract save(task: Task, events: DomainEvent[]): Promise<void>;
  abstract find(ref: WorkspaceRef, id: TaskId): Promise<TaskView | undefined>;
  abstract list(
    ref: WorkspaceRef,
    filter: TaskFilter,
    request: PageRequest<TaskSortField>,
  ): Promise<Slice<ListedTask>>;
  /**
   * Locks open tasks of all workspaces that are due and not announced, the longest due first. Leaves out tasks that another
   * transaction has locked.
   */
  abstract lockDue(now: Date, atMost: number): Promise<Task[]>;
  /** Locks further such tasks of the same assignees in live mode, person by person. */
  abstract lockDueOfSamePeople(tasks: readonly Task[], now: Date, atMost: number): Promise<Task[]>;
  /** Records that locked tasks were announced, with their events. */
  abstract saveAnnounced(tasks: readonly Task[], events: readonly DomainEvent[]): Promise<void>;
  /** At most that many tasks of an assignee, done and archived ones too. */
  abstract idsAssignedTo(ref: WorkspaceRef, assigneeId: UserId, atMost: number): Promise<TaskId[]>;
  /** Reads those of the tasks that are the assignee's once all are locked, and locks them in the order of their ids. */
  abstract lockAssignedTo(ref: WorkspaceRef, assigneeId: UserId, ids: readonly TaskId[]): Promise<Task[]>;
}
