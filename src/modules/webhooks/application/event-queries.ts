import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import type { Cause } from '../../../kernel/cause';
import { ValidationFailed } from '../../../kernel/errors';
import type { EventId, WorkspaceId } from '../../../kernel/ids';
import { type Page, pageOf, type PageRequest, type Slice } from '../../../kernel/page';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import type { ReaderScopes } from '../../../kernel/event-types';
import { type EndpointOwner, endpointsOf } from './endpoints-of';
import { EventAccess, scopesOf } from './event-access';

/** An event as receivers see it. */
export interface EventView {
  id: EventId;
  type: string;
  timestamp: Date;
  mode: Mode;
  workspaceId: WorkspaceId;
  apiVersion: 'v1';
  cause: Cause;
  data: object;
  previous?: object;
}

export interface EventFilter {
  readonly type?: string;
  /** Undefined means all. */
  readonly types?: readonly string[];
}

export abstract class EventReader {
  /** The events of a workspace, except tests of endpoints that the owner can’t see. */
  abstract list(owner: EndpointOwner, filter: EventFilter, request: PageRequest): Promise<Slice<EventView>>;
}

@Injectable()
export class EventQueries {
  constructor(
    private readonly reader: EventReader,
    private readonly access: EventAccess,
  ) {}

  /**
   * Newest first.
   *
   * @throws Forbidden for a type that the actor may not read
   * @throws ValidationFailed for an unknown type
   */
  async list(
    ref: WorkspaceRef,
    actor: Actor,
    filter: { type?: string },
    request: PageRequest,
  ): Promise<Page<EventView>> {
    const scopes = scopesOf(actor);
    if (filter.type !== undefined) this.checkType(filter.type, scopes);
    const types = this.access.readableTypes(scopes);
    const { items, ...rest } = await this.reader.list(endpointsOf(ref, actor), { ...filter, types }, request);
    const slice = { ...rest, items: items.map((event) => this.access.asSeen(event, scopes)) };
    return pageOf(request, slice, ({ timestamp, id }) => ({ value: timestamp.toISOString(), id }));
  }

  private checkType(type: string, scopes: ReaderScopes): void {
    if (!this.access.isType(type)) {
      throw new ValidationFailed({
        field: 'type',
        message: `must be one event type, such as lead.created; ${JSON.stringify(type)} is none: /docs/guides/webhooks lists them`,
      });
    }
    this.access.refuseUnreadable([type], scopes);
  }
}
