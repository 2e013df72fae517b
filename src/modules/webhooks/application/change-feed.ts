import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import { ValidationFailed } from '../../../kernel/errors';
import type { ReaderScopes } from '../../../kernel/event-types';
import type { WorkspaceRef } from '../../../kernel/principal';
import {
  decodePosition,
  encodePosition,
  type FeedPlace,
  type FeedPosition,
  isBefore,
} from '../domain/feed-position';
import { type EndpointOwner, endpointsOf } from './endpoints-of';
import { EventAccess, scopesOf } from './event-access';
import type { EventView } from './event-queries';

/** The `after` that starts with events to come. */
const NOW = 'now';

export interface ChangesRequest {
  /** A position, or `now`. Undefined starts with the oldest event. */
  readonly after?: string;
  /** Event types and patterns, separated by commas. Undefined means all that the reader may read. */
  readonly types?: string;
  readonly limit: number;
}

export interface Changes {
  /** In the order in which they are read. */
  data: EventView[];
  /** The `after` of the next request. */
  position: string;
  /** Whether another request would bring more at once. */
  hasMore: boolean;
}

/** A part of the feed, and its limits at that moment. */
export interface FeedSlice {
  readonly items: EventView[];
  /** The last event that was looked at, whether or not it matches. */
  readonly position: FeedPosition;
  readonly hasMore: boolean;
  /** Whether the epoch of `after` began in this database, or in the one that it was restored from. */
  readonly knowsAfter: boolean;
  /** The last event that was deleted from this feed, or `FEED_START`. */
  readonly deletedUntil: FeedPlace;
  /** Later than every event so far. */
  readonly end: FeedPlace;
}

export abstract class ChangeReader {
  /**
   * Events in an order in which none can be added before `position` later on. An event is in it only once no earlier
   * one can be committed any more. A slice looks at a bounded number of events, so it may be empty and have more. With no
   * types it is empty, and its position is after every event.
   */
  abstract read(
    owner: EndpointOwner,
    part: { types?: readonly string[]; after?: FeedPosition; limit: number },
  ): Promise<FeedSlice>;
}

@Injectable()
export class ChangeFeed {
  constructor(
    private readonly reader: ChangeReader,
    private readonly access: EventAccess,
  ) {}

  /**
   * Oldest first.
   *
   * @throws Forbidden for a type that the actor may not read
   * @throws ValidationFailed for an unknown type, and for a position that is unknown or before a deleted event
   */
  async read(ref: WorkspaceRef, actor: Actor, request: ChangesRequest): Promise<Changes> {
    const scopes = scopesOf(actor);
    const types = this.typesOf(request.types, scopes);
    const isNow = request.after === NOW;
    const after = isNow || request.after === undefined ? undefined : decodePosition(ref, request.after);
    const part = { types: isNow ? [] : types, after, limit: request.limit };
    const slice = await this.reader.read(endpointsOf(ref, actor), part);
    if (after) refuseUnknown(after, slice);
    return {
      data: slice.items.map((event) => this.access.asSeen(event, scopes)),
      position: encodePosition(ref, slice.position),
      hasMore: slice.hasMore,
    };
  }

  private typesOf(given: string | undefined, scopes: ReaderScopes): readonly string[] | undefined {
    if (given === undefined) return this.access.readableTypes(scopes);
    const patterns = given.split(',');
    const problem = this.access.patternProblem(patterns);
    if (problem !== undefined) throw new ValidationFailed({ field: 'types', message: problem });
    this.access.refuseUnreadable(patterns, scopes);
    return this.access.typesOf(patterns, scopes);
  }
}

function refuseUnknown(after: FeedPosition, { knowsAfter, deletedUntil, end }: FeedSlice): void {
  if (!knowsAfter || !isBefore(after, end)) {
    throw new ValidationFailed({
      field: 'after',
      message:
        'is unknown here, since the database was replaced by an older one: begin again with “The first time” in /docs/guides/nightly-sync',
    });
  }
  if (isBefore(after, deletedUntil)) {
    throw new ValidationFailed({
      field: 'after',
      message:
        'is before events that were deleted, since events are kept for 30 days: get a new position with after=now, then read all objects once',
    });
  }
}
