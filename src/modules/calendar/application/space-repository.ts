import type { SpaceId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Space, SpaceView } from '../domain/space';

export interface SpaceFilter {
  archived: 'false' | 'true' | 'all';
}

export abstract class SpaceRepository {
  /** Keeps others from adding spaces to this workspace until the unit of work ends, and counts them. */
  abstract lockAndCount(ref: WorkspaceRef): Promise<number>;
  abstract add(space: Space): Promise<void>;
  /**
   * Reads spaces and keeps others from booking or changing them until the unit of work ends. They are locked in one
   * order, whoever asks, so that two who want the same ones don't wait for each other.
   */
  abstract lock(ref: WorkspaceRef, ids: readonly SpaceId[]): Promise<Space[]>;
  /** Writes a space that was locked. */
  abstract save(space: Space): Promise<void>;
  abstract find(ref: WorkspaceRef, ids: readonly SpaceId[]): Promise<SpaceView[]>;
  /** In the order of the request's only sort, `name`. */
  abstract list(ref: WorkspaceRef, filter: SpaceFilter, request: PageRequest): Promise<Slice<SpaceView>>;
  /** All that aren't archived, by name. */
  abstract inUse(ref: WorkspaceRef): Promise<SpaceView[]>;
}
