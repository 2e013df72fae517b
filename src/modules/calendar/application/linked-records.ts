import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../../kernel/errors';
import type { SpaceId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { SpaceRepository } from './space-repository';

/** The spaces that a caller names, and the field that they are named in. */
export interface SpaceInput {
  readonly field: 'spaceId' | 'spaceIds';
  readonly ids: readonly SpaceId[];
}

/** Finds the spaces that an event is to be tied to. A space that isn't there or is archived is the caller's mistake. */
@Injectable()
export class LinkedRecords {
  constructor(private readonly spaces: SpaceRepository) {}

  /** Each once, in the order given. Spaces of `known` may have been archived since. */
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
