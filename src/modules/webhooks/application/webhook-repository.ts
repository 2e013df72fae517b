import type { WebhookId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { EndpointDetails, WebhookEndpoint } from '../domain/webhook-endpoint';
import type { EndpointOwner } from './endpoints-of';

export interface EndpointAddress {
  readonly id: WebhookId;
  readonly url: string;
  readonly isVerified: boolean;
}

/** Endpoints; deleted ones are gone for everyone. */
export abstract class WebhookRepository {
  /** Where endpoints lead. Keeps others from adding endpoints to this workspace until the unit of work ends. */
  abstract lockAddresses(ref: WorkspaceRef): Promise<EndpointAddress[]>;
  abstract add(endpoint: WebhookEndpoint): Promise<void>;
  abstract lock(owner: EndpointOwner, id: WebhookId): Promise<WebhookEndpoint | undefined>;
  /** Writes an endpoint that was locked. */
  abstract save(endpoint: WebhookEndpoint): Promise<void>;
  abstract find(owner: EndpointOwner, id: WebhookId): Promise<EndpointDetails | undefined>;
  /** In the order of the request's only sort, `createdAt`. */
  abstract list(owner: EndpointOwner, request: PageRequest): Promise<Slice<EndpointDetails>>;
}
