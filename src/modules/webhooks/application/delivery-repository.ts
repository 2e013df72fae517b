import type { DomainEvent } from '../../../kernel/domain-event';
import type { DeliveryId, WebhookId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { DeliveryStatus, DeliveryView } from '../domain/delivery';

/** The deliveries of an endpoint. `types` are the event types that the caller may read; undefined means all. */
export abstract class DeliveryRepository {
  /** Appends the event and queues it for this endpoint alone. A test that isn't retried gets one attempt. */
  abstract addTest(
    event: DomainEvent,
    endpoint: WebhookId,
    options: { isRetried: boolean },
  ): Promise<DeliveryView>;
  /** The pending test that was requested, if there is one. */
  abstract pendingTest(ref: WorkspaceRef, endpoint: WebhookId): Promise<DeliveryView | undefined>;
  /** Marks all pending tests as failed. */
  abstract giveUpTests(ref: WorkspaceRef, endpoint: WebhookId): Promise<void>;
  /** Queues a delivery again, in any status; a test for one attempt. Undefined when there is no such delivery. */
  abstract retry(
    ref: WorkspaceRef,
    endpoint: WebhookId,
    id: DeliveryId,
    now: Date,
    types?: readonly string[],
  ): Promise<DeliveryView | undefined>;
  /** Queues again the failed deliveries created since then, except tests. Resolves to their number. */
  abstract recover(
    ref: WorkspaceRef,
    endpoint: WebhookId,
    since: Date,
    now: Date,
    types?: readonly string[],
  ): Promise<number>;
  /** Marks pending deliveries of other types as failed. */
  abstract giveUpOthers(ref: WorkspaceRef, endpoint: WebhookId, types: readonly string[]): Promise<void>;
  abstract find(
    ref: WorkspaceRef,
    endpoint: WebhookId,
    id: DeliveryId,
    types?: readonly string[],
  ): Promise<DeliveryView | undefined>;
  /** The body that is sent, byte for byte. Undefined when there is no such delivery. */
  abstract body(ref: WorkspaceRef, endpoint: WebhookId, id: DeliveryId): Promise<string | undefined>;
  /** The request's only sort is `createdAt`. */
  abstract list(
    ref: WorkspaceRef,
    endpoint: WebhookId,
    filter: { status?: DeliveryStatus; types?: readonly string[] },
    request: PageRequest,
  ): Promise<Slice<DeliveryView>>;
}
