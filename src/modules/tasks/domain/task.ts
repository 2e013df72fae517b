import type { Actor } from '../../../kernel/actor';
import { type DomainEvent, domainEvent } from '../../../kernel/domain-event';
import { ValidationFailed } from '../../../kernel/errors';
import { type Id, type LeadId, newId, type UserId, type WorkspaceId } from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { timeOfChange } from '../../../kernel/time';
import { type Due, type DueTimes, dueTimesOf } from './due';

export type TaskId = Id<'task'>;

/** In code points. */
export const MAX_TITLE = 200;
export const MAX_NOTES = 5000;

export const TASK_STATUSES = ['open', 'done'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** The fields that clients write. */
export interface TaskFields extends Due {
  leadId: LeadId | null;
  title: string;
  notes: string | null;
  dueOn: string | null;
  dueAt: Date | null;
  assigneeId: UserId | null;
}

export type NewTask = Pick<TaskFields, 'title'> & Partial<TaskFields>;

/** Who completed a task. */
export type Completer = Pick<Actor, 'type' | 'id' | 'name'>;

/** A task as the API and events contain it. */
export interface TaskView extends TaskFields {
  id: TaskId;
  overdueAt: Date | null;
  status: TaskStatus;
  completedAt: Date | null;
  completedBy: Completer | null;
  archivedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  revision: number;
}

/** A next step: of a lead, or of the workspace. */
export class Task implements TaskView, DueTimes {
  readonly workspaceId!: WorkspaceId;
  readonly mode!: Mode;
  readonly id!: TaskId;
  leadId!: LeadId | null;
  title!: string;
  notes!: string | null;
  dueOn!: string | null;
  dueAt!: Date | null;
  /** This and the next keep the time zone that the workspace had when the due time was set. */
  announcedFrom!: Date | null;
  overdueAt!: Date | null;
  /** Whether `task.due` was announced for the present due time. */
  isAnnounced!: boolean;
  assigneeId!: UserId | null;
  status!: TaskStatus;
  completedAt!: Date | null;
  completedBy!: Completer | null;
  archivedAt!: Date | null;
  readonly createdAt!: Date;
  updatedAt!: Date;
  revision!: number;

  private constructor(fields: object) {
    Object.assign(this, fields);
  }

  static open(
    { workspaceId, mode }: WorkspaceRef,
    fields: NewTask,
    { timeZone, now }: { timeZone: string; now: Date },
  ): { task: Task; events: DomainEvent[] } {
    const task = new Task({
      workspaceId,
      mode,
      id: newId('task'),
      leadId: null,
      notes: null,
      dueOn: null,
      dueAt: null,
      assigneeId: null,
      ...withoutUndefined(fields),
      isAnnounced: false,
      status: 'open',
      completedAt: null,
      completedBy: null,
      archivedAt: null,
      createdAt: now,
      updatedAt: now,
      revision: 1,
    });
    Object.assign(task, dueTimesOf(task, timeZone));
    return { task, events: [task.event('task.created')] };
  }

  /** A new due time replaces the one before, whichever form that had, and is announced in its turn. */
  change(changes: Partial<TaskFields>, { timeZone, now }: { timeZone: string; now: Date }): DomainEvent[] {
    this.refuseArchived();
    const given = withoutUndefined(changes);
    if (given.dueOn) given.dueAt = null;
    if (given.dueAt) given.dueOn = null;
    return this.apply('task.updated', now, () => {
      const due = JSON.stringify([this.dueOn, this.dueAt]);
      Object.assign(this, given);
      if (JSON.stringify([this.dueOn, this.dueAt]) === due) return;
      Object.assign(this, dueTimesOf(this, timeZone), { isAnnounced: false });
    });
  }

  complete({ type, id, name }: Completer, now: Date): DomainEvent[] {
    this.refuseArchived();
    if (this.status === 'done') return [];
    return this.apply('task.completed', now, () => {
      this.status = 'done';
      this.completedAt = timeOfChange(this.updatedAt, now);
      this.completedBy = { type, id, name };
    });
  }

  reopen(now: Date): DomainEvent[] {
    this.refuseArchived();
    return this.apply('task.reopened', now, () => {
      this.status = 'open';
      this.completedAt = null;
      this.completedBy = null;
    });
  }

  archive(now: Date): DomainEvent[] {
    if (this.archivedAt) return [];
    return this.apply('task.updated', now, () => {
      this.archivedAt = timeOfChange(this.updatedAt, now);
    });
  }

  restore(now: Date): DomainEvent[] {
    return this.apply('task.updated', now, () => {
      this.archivedAt = null;
    });
  }

  /** Its assignee leaves: if it is open it gets the successor, otherwise nobody. Archived tasks change too. */
  handOver(successor: UserId | null, now: Date): DomainEvent[] {
    return this.apply('task.updated', now, () => {
      this.assigneeId = this.status === 'open' && !this.archivedAt ? successor : null;
    });
  }

  /** Call it once for each due time, when that has come. It changes nothing that clients see. */
  announce(now: Date): DomainEvent {
    this.isAnnounced = true;
    return { ...this.event('task.due'), timestamp: now };
  }

  view(): TaskView {
    const { id, leadId, title, notes, dueOn, dueAt, overdueAt, assigneeId } = this;
    const { status, completedAt, completedBy, archivedAt, createdAt, updatedAt, revision } = this;
    return {
      ...{ id, leadId, title, notes, dueOn, dueAt, overdueAt, assigneeId },
      ...{ status, completedAt, completedBy, archivedAt, createdAt, updatedAt, revision },
    };
  }

  private refuseArchived(): void {
    if (!this.archivedAt) return;
    throw new ValidationFailed({
      field: 'archivedAt',
      message: 'an archived task can’t be changed; restore it first',
    });
  }

  /** Returns the event of the change: none if every value is the same. */
  private apply(type: string, now: Date, change: () => void): DomainEvent[] {
    const before = this.view();
    change();
    const after = this.view();
    const names = Object.keys(before) as (keyof TaskView)[];
    const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
    if (changed.length === 0) return [];
    this.updatedAt = timeOfChange(before.updatedAt, now);
    this.revision++;
    const previous = [...changed, 'updatedAt', 'revision'] as (keyof TaskView)[];
    return [this.event(type, Object.fromEntries(previous.map((name) => [name, before[name]])))];
  }

  private event(type: string, previous?: object): DomainEvent {
    const workspace = { workspaceId: this.workspaceId, mode: this.mode };
    return domainEvent({ type, workspace, timestamp: this.updatedAt, data: this.view(), previous });
  }
}

function withoutUndefined(fields: Partial<TaskFields>): Partial<TaskFields> {
  return Object.fromEntries(
    Object.entries<unknown>(fields as Record<string, unknown>).filter(([, value]) => value !== undefined),
  );
}
