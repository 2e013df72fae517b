import { ValidationFailed } from '../../../kernel/errors';
import { newId, type SpaceId, type WorkspaceId } from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { timeOfChange } from '../../../kernel/time';

export interface SpaceFields {
  name: string;
  /** In guests; null if unknown. */
  capacity: number | null;
  /** The time that the space is taken before an event. */
  setupMinutes: number;
  /** The time that the space is taken after an event. */
  clearingMinutes: number;
}

export type NewSpace = Pick<SpaceFields, 'name'> & Partial<SpaceFields>;

/** A space as the API returns it. */
export interface SpaceView extends SpaceFields {
  id: SpaceId;
  archivedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  revision: number;
}

/** A room, garden or terrace, which one event can have at a time. */
export class Space implements SpaceFields {
  readonly workspaceId!: WorkspaceId;
  readonly mode!: Mode;
  readonly id!: SpaceId;
  name!: string;
  capacity!: number | null;
  setupMinutes!: number;
  clearingMinutes!: number;
  archivedAt!: Date | null;
  readonly createdAt!: Date;
  updatedAt!: Date;
  revision!: number;

  private constructor(fields: object) {
    Object.assign(this, fields);
  }

  static open({ workspaceId, mode }: WorkspaceRef, fields: NewSpace, now: Date): Space {
    return new Space({
      workspaceId,
      mode,
      id: newId('space'),
      capacity: null,
      setupMinutes: 0,
      clearingMinutes: 0,
      ...fields,
      archivedAt: null,
      createdAt: now,
      updatedAt: now,
      revision: 1,
    });
  }

  /** Returns whether anything changed. Booked events keep the set-up and clearing times of their booking. */
  change(changes: Partial<SpaceFields>, now: Date): boolean {
    if (this.archivedAt) {
      throw new ValidationFailed({
        field: 'archivedAt',
        message: 'an archived space can’t be changed; restore it first',
      });
    }
    const different = Object.entries<unknown>(changes).filter(
      ([name, value]) => value !== undefined && value !== this[name as keyof SpaceFields],
    );
    if (different.length === 0) return false;
    Object.assign(this, Object.fromEntries(different));
    this.touch(now);
    return true;
  }

  archive(now: Date): boolean {
    if (this.archivedAt) return false;
    this.touch(now);
    this.archivedAt = this.updatedAt;
    return true;
  }

  restore(now: Date): boolean {
    if (!this.archivedAt) return false;
    this.touch(now);
    this.archivedAt = null;
    return true;
  }

  view(): SpaceView {
    const { id, name, capacity, setupMinutes, clearingMinutes } = this;
    const { archivedAt, createdAt, updatedAt, revision } = this;
    return { id, name, capacity, setupMinutes, clearingMinutes, archivedAt, createdAt, updatedAt, revision };
  }

  private touch(now: Date): void {
    this.updatedAt = timeOfChange(this.updatedAt, now);
    this.revision++;
  }
}
