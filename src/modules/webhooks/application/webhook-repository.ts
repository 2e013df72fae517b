import type { WebhookId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { WebhookEndpoint, WebhookEndpointView } from '../domain/webhook-endpoint';

/** Endpoints; deleted ones are gone for everyone. */
export abstract class WebhookRepository {
  /** Keeps others from adding endpoints to this workspace until the unit of work ends, and counts them. */
  abstract lockAndCount(ref: WorkspaceRef): Promise<number>;
  abstract add(endpoint: WebhookEndpoint): Promise<void>;
  abstract lock(ref: WorkspaceRef, id: WebhookId): Promise<WebhookEndpoint | undefined>;
  /** Writes an endpoint that was locked. */
  abstract save(endpoint: WebhookEndpoint): Promise<void>;
  abstract find(ref: WorkspaceRef, id: WebhookId): Promise<WebhookEndpointView | undefined>;
  /** In the order of the request's only sort, `createdAt`. */
  abstract list(ref: WorkspaceRef, request: PageRequest): Promise<Slice<WebhookEndpointView>>;
}
