import type { Actor } from '../../../kernel/actor';
import { type DomainEvent, domainEvent } from '../../../kernel/domain-event';
import { ValidationFailed } from '../../../kernel/errors';
import { type Id, type LeadId, newId, type WorkspaceId } from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { timeOfChange } from '../../../kernel/time';

export type ActivityId = Id<'act'>;

export const ACTIVITY_TYPES = ['note', 'call', 'email', 'meeting', 'other'] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

/** From the lead, or to the lead. */
export const DIRECTIONS = ['in', 'out'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** In code points. */
export const MAX_TEXT = 10_000;

/** Clients' clocks may be ahead of ours. */
const MAX_AHEAD_MS = 5 * 60_000;

/** The fields that clients can change. */
export interface ActivityFields {
  type: ActivityType;
  direction: Direction | null;
  text: string;
  /** When it took place. */
  at: Date;
}

export type NewActivity = Pick<ActivityFields, 'type' | 'text'> &
  Partial<ActivityFields> & { externalId?: string };

/** Who logged an activity: a credential, a person or the operator. */
export type Author = Pick<Actor, 'type' | 'id' | 'name'>;

/** An activity as the API and events contain it. */
export interface ActivityView extends ActivityFields {
  id: ActivityId;
  leadId: LeadId;
  externalId: string | null;
  author: Author;
  editedAt: Date | null;
  createdAt: Date;
  revision: number;
}

/** A note about a lead, or a call, email or meeting with the lead outside of Gala. */
export class Activity implements ActivityView {
  readonly workspaceId!: WorkspaceId;
  readonly mode!: Mode;
  readonly id!: ActivityId;
  readonly leadId!: LeadId;
  type!: ActivityType;
  direction!: Direction | null;
  text!: string;
  at!: Date;
  readonly externalId!: string | null;
  readonly author!: Author;
  editedAt!: Date | null;
  readonly createdAt!: Date;
  revision!: number;

  private constructor(fields: object) {
    Object.assign(this, fields);
  }

  /** @throws ValidationFailed if `at` lies in the future */
  static log(
    { workspaceId, mode }: WorkspaceRef,
    leadId: LeadId,
    fields: NewActivity,
    { type, id, name }: Author,
    now: Date,
  ): { activity: Activity; events: DomainEvent[] } {
    Activity.refuseFuture(fields, now);
    const activity = new Activity({
      workspaceId,
      mode,
      id: newId('act'),
      leadId,
      direction: null,
      at: now,
      externalId: null,
      ...fields,
      author: { type, id, name },
      editedAt: null,
      createdAt: now,
      revision: 1,
    });
    return { activity, events: [activity.event('activity.created', now)] };
  }

  /** @throws ValidationFailed */
  static refuseFuture({ at }: Partial<ActivityFields>, now: Date): void {
    if (!at || at.getTime() <= now.getTime() + MAX_AHEAD_MS) return;
    throw new ValidationFailed({
      field: 'at',
      message: `must be at most ${MAX_AHEAD_MS / 60_000} minutes ahead of ${now.toISOString()}; plan the future with a task or a calendar event`,
    });
  }

  /** Returns the event of the change: none if every value is the same. */
  change(changes: Partial<ActivityFields>, now: Date): DomainEvent[] {
    Activity.refuseFuture(changes, now);
    const entries = Object.entries(changes) as [keyof ActivityFields, unknown][];
    const different = entries.filter(([name, value]) => value !== undefined && !isSame(value, this[name]));
    if (different.length === 0) return [];
    const names = [...different.map(([name]) => name), 'editedAt', 'revision'] as const;
    const previous = Object.fromEntries(names.map((name) => [name, this[name]]));
    Object.assign(this, Object.fromEntries(different));
    this.editedAt = timeOfChange(this.editedAt ?? this.createdAt, now);
    this.revision++;
    return [this.event('activity.updated', this.editedAt, previous)];
  }

  delete(now: Date): DomainEvent {
    return this.event('activity.deleted', timeOfChange(this.editedAt ?? this.createdAt, now));
  }

  view(): ActivityView {
    const { id, leadId, type, direction, text, at, externalId } = this;
    const { author, editedAt, createdAt, revision } = this;
    return { id, leadId, type, direction, text, at, externalId, author, editedAt, createdAt, revision };
  }

  private event(type: string, timestamp: Date, previous?: object): DomainEvent {
    const workspace = { workspaceId: this.workspaceId, mode: this.mode };
    return domainEvent({ type, workspace, timestamp, data: this.view(), previous });
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other;
}
