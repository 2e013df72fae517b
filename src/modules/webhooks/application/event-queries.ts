import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import type { EventId, WorkspaceId } from '../../../kernel/ids';
import { type Page, pageOf, type PageRequest, type Slice } from '../../../kernel/page';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { type EndpointOwner, endpointsOf } from './endpoints-of';

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
  /** All of a workspace, without what was tried out on endpoints that the owner doesn’t see. */
  abstract list(
    owner: EndpointOwner,
    filter: { type?: string },
    request: PageRequest,
  ): Promise<Slice<EventView>>;
}

@Injectable()
export class EventQueries {
  constructor(private readonly reader: EventReader) {}

  /** The latest first: ids are in the order of time. */
  async list(
    ref: WorkspaceRef,
    actor: Actor,
    filter: { type?: string },
    request: PageRequest,
  ): Promise<Page<EventView>> {
    const slice = await this.reader.list(endpointsOf(ref, actor), filter, request);
    return pageOf(request, slice, ({ timestamp, id }) => ({ value: timestamp.toISOString(), id }));
  }
}
