import { Injectable } from '@nestjs/common';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import { type LeadId, parseId, type SpaceId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { LeadQueries } from '../../leads';
import { SpaceRepository } from './space-repository';

const MAX_SPACES = 20;

/** The spaces that a caller names, and the field that they are named in. */
export interface SpaceWish {
  readonly field: 'spaceId' | 'spaceIds';
  readonly ids: readonly string[];
}

/** Finds what an event is to be tied to; what isn't there, or is archived, is the caller's mistake. */
@Injectable()
export class EventTies {
  constructor(
    private readonly leads: LeadQueries,
    private readonly spaces: SpaceRepository,
  ) {}

  async lead(ref: WorkspaceRef, text: string): Promise<LeadId> {
    const refuse = (message: string) => new ValidationFailed({ field: 'leadId', message });
    const id = parseId('lead', text);
    if (!id) throw refuse('is no id of a lead, lead_…');
    const lead = await this.leads.get(ref, id).catch((error: unknown) => {
      throw error instanceof NotFound ? refuse('there is no such lead') : error;
    });
    if (lead.archivedAt) throw refuse('is an archived lead; restore it first');
    return id;
  }

  /** Each once, in the order given. Spaces of `known` may have been archived since. */
  async spacesOf(
    ref: WorkspaceRef,
    { field, ids: texts }: SpaceWish,
    known: readonly SpaceId[] = [],
  ): Promise<SpaceId[]> {
    const refuse = (message: string) => new ValidationFailed({ field, message });
    const ids = [...new Set(texts)].map((text) => {
      const id = parseId('space', text);
      if (!id) throw refuse('must be ids of spaces, space_…');
      return id;
    });
    if (ids.length > MAX_SPACES) throw refuse(`must be at most ${MAX_SPACES} spaces`);
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
