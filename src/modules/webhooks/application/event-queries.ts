import { Injectable } from '@nestjs/common';
import type { EventId, WorkspaceId } from '../../../kernel/ids';
import { type Page, pageOf, type PageRequest, type Slice } from '../../../kernel/page';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';

/** An event as receivers get it. */
export interface EventView {
  id: EventId;
  type: string;
  timestamp: Date;
  mode: Mode;
  workspaceId: WorkspaceId;
  apiVersion: 'v1';
  data: object;
  previous?: object;
}

export abstract class EventReader {
  abstract list(
    ref: WorkspaceRef,
    filter: { type?: string },
    request: PageRequest,
  ): Promise<Slice<EventView>>;
}

@Injectable()
export class EventQueries {
  constructor(private readonly reader: EventReader) {}

  /** The latest first: ids are in the order of time. */
  async list(ref: WorkspaceRef, filter: { type?: string }, request: PageRequest): Promise<Page<EventView>> {
    const slice = await this.reader.list(ref, filter, request);
    return pageOf(request, slice, ({ timestamp, id }) => ({ value: timestamp.toISOString(), id }));
  }
}
