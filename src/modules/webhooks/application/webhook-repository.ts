import type { WebhookId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { EndpointDetails, WebhookEndpoint } from '../domain/webhook-endpoint';
import type { EndpointOwner } from './endpoints-of';

/** Endpoints; deleted ones are gone for everyone. */
export abstract class WebhookRepository {
  /** Keeps others from adding endpoints to this workspace until the unit of work ends, and counts them. */
  abstract lockAndCount(ref: WorkspaceRef): Promise<number>;
  abstract add(endpoint: WebhookEndpoint): Promise<void>;
  abstract lock(owner: EndpointOwner, id: WebhookId): Promise<WebhookEndpoint | undefined>;
  /** Writes an endpoint that was locked. */
  abstract save(endpoint: WebhookEndpoint): Promise<void>;
  abstract find(owner: EndpointOwner, id: WebhookId): Promise<EndpointDetails | undefined>;
  /** In the order of the request's only sort, `createdAt`. */
  abstract list(owner: EndpointOwner, request: PageRequest): Promise<Slice<EndpointDetails>>;
}
