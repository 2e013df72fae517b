import type { SpaceId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Space, SpaceView } from '../domain/space';

export interface SpaceFilter {
  archived: 'false' | 'true' | 'all';
}

/** Locked spaces, and whether their workspace and mode have a queue of holds. */
export interface LockedSpaces {
  readonly spaces: Space[];
  readonly hasQueue: boolean;
}

export abstract class SpaceRepository {
  /** Counts the workspace's spaces, and locks out additions until the unit of work ends. */
  abstract lockAndCount(ref: WorkspaceRef): Promise<number>;
  abstract add(space: Space): Promise<void>;
  /**
   * Reads spaces and locks them until the unit of work ends. All callers lock in the same order, so that two requests for
   * the same spaces don't deadlock.
   */
  abstract lock(ref: WorkspaceRef, ids: readonly SpaceId[]): Promise<Space[]>;
  /** The same after locking the queue of holds, if there is one (ADR 51). */
  abstract lockWithQueue(ref: WorkspaceRef, ids: readonly SpaceId[]): Promise<LockedSpaces>;
  /** Writes a locked space. */
  abstract save(space: Space): Promise<void>;
  abstract find(ref: WorkspaceRef, ids: readonly SpaceId[]): Promise<SpaceView[]>;
  /** By `name`, the only sort. */
  abstract list(ref: WorkspaceRef, filter: SpaceFilter, request: PageRequest): Promise<Slice<SpaceView>>;
  /** All spaces that aren't archived, by name. */
  abstract inUse(ref: WorkspaceRef): Promise<SpaceView[]>;
}
