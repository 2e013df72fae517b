import { Injectable } from '@nestjs/common';
import type { LeadId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { compareEntries, type TimelineEntry, TimelineParts } from '../../../kernel/timeline';
import { LeadQueries } from '../../leads';
import { decodeCursor, encodeCursor } from '../domain/timeline-cursor';

export interface TimelinePage {
  data: TimelineEntry[];
  /** The names of the parts that the reader's scopes don't open. */
  omitted: string[];
  pagination: { limit: number; hasNext: boolean; nextCursor: string | null };
}

/** Merges what the modules tell about a lead, as it stands when it is read. */
@Injectable()
export class LeadTimeline {
  constructor(
    private readonly parts: TimelineParts,
    private readonly leads: LeadQueries,
  ) {}

  /**
   * @throws NotFound for an unknown lead
   * @throws ValidationFailed for a cursor of something else
   */
  async read(
    ref: WorkspaceRef,
    scopes: readonly string[],
    leadId: LeadId,
    { limit, cursor }: { limit: number; cursor?: string },
  ): Promise<TimelinePage> {
    const after = cursor === undefined ? undefined : decodeCursor(leadId, cursor);
    await this.leads.get(ref, leadId);
    const entries: TimelineEntry[] = [];
    const omitted: string[] = [];
    // One after the other, so that a request takes one connection at a time.
    for (const part of this.parts.all()) {
      if (!scopes.includes(part.scope)) omitted.push(part.name);
      else entries.push(...(await part.read(ref, leadId, after, limit + 1)));
    }
    const data = entries.sort(compareEntries).slice(0, limit);
    const hasNext = entries.length > limit;
    const nextCursor = hasNext ? encodeCursor(leadId, data.at(-1)!) : null;
    return { data, omitted: omitted.sort(), pagination: { limit, hasNext, nextCursor } };
  }
}
