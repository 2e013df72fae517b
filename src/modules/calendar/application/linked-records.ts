import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../../kernel/errors';
import type { SpaceId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { SpaceRepository } from './space-repository';

/** The requested spaces, and the field of the request that names them. */
export interface SpaceInput {
  readonly field: 'spaceId' | 'spaceIds';
  readonly ids: readonly SpaceId[];
}

/** Finds the spaces of an event. An unknown or archived space is a 422. */
@Injectable()
export class LinkedRecords {
  constructor(private readonly spaces: SpaceRepository) {}

  /** Each space once, in the given order. Spaces in `known` may be archived. */
  async spacesOf(
    ref: WorkspaceRef,
    { field, ids: named }: SpaceInput,
    known: readonly SpaceId[] = [],
  ): Promise<SpaceId[]> {
    const refuse = (message: string) => new ValidationFailed({ field, message });
    const ids = [...new Set(named)];
    const added = ids.filter((id) => !known.includes(id));
    if (added.length === 0) return ids;
    const found = await this.spaces.find(ref, added);
    for (const id of added) {
      const space = found.find((each) => each.id === id);
      if (!space) throw refuse(`there is no space ${id}`);
      if (space.archivedAt) throw refuse(`the space ${id} is archived; restore it first`);
    }
    return ids;
  }
}
