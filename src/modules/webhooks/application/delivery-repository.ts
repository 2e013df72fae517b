import type { DomainEvent } from '../../../kernel/domain-event';
import type { DeliveryId, WebhookId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { DeliveryStatus, DeliveryView } from '../domain/delivery';

/** Deliveries of an endpoint. `types` are those of the events that the caller may read; all when it is undefined. */
export abstract class DeliveryRepository {
  /** Appends the event, and queues it for this endpoint alone: for one attempt, or for the whole schedule. */
  abstract addTest(
    event: DomainEvent,
    endpoint: WebhookId,
    options: { isRetried: boolean },
  ): Promise<DeliveryView>;
  /** The pending test that somebody asked for; undefined when there is none. */
  abstract pendingTest(ref: WorkspaceRef, endpoint: WebhookId): Promise<DeliveryView | undefined>;
  /** Gives up all pending tests. */
  abstract giveUpTests(ref: WorkspaceRef, endpoint: WebhookId): Promise<void>;
  /** Queues one anew, whatever became of it, a test for one attempt; as it is then. Undefined when there is none. */
  abstract retry(
    ref: WorkspaceRef,
    endpoint: WebhookId,
    id: DeliveryId,
    now: Date,
    types?: readonly string[],
  ): Promise<DeliveryView | undefined>;
  /** Queues those anew that were given up since then, tests left out; says how many. */
  abstract recover(
    ref: WorkspaceRef,
    endpoint: WebhookId,
    since: Date,
    now: Date,
    types?: readonly string[],
  ): Promise<number>;
  /** Gives up what waits and isn't of these types. */
  abstract giveUpOthers(ref: WorkspaceRef, endpoint: WebhookId, types: readonly string[]): Promise<void>;
  abstract find(
    ref: WorkspaceRef,
    endpoint: WebhookId,
    id: DeliveryId,
    types?: readonly string[],
  ): Promise<DeliveryView | undefined>;
  /** What is sent, byte for byte; undefined when there is no such delivery. */
  abstract body(ref: WorkspaceRef, endpoint: WebhookId, id: DeliveryId): Promise<string | undefined>;
  /** In the order of the request's only sort, `createdAt`. */
  abstract list(
    ref: WorkspaceRef,
    endpoint: WebhookId,
    filter: { status?: DeliveryStatus; types?: readonly string[] },
    request: PageRequest,
  ): Promise<Slice<DeliveryView>>;
}
