import type { WebhookId, WorkspaceId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { EndpointDetails, WebhookEndpoint } from '../domain/webhook-endpoint';
import type { EndpointOwner } from './endpoints-of';

export interface EndpointAddress {
  readonly id: WebhookId;
  readonly url: string;
  readonly isVerified: boolean;
}

/** Deleted endpoints are never found. */
export abstract class WebhookRepository {
  /** The addresses of a workspace's endpoints. Until the unit of work ends, no other can add an endpoint. */
  abstract lockAddresses(ref: WorkspaceRef): Promise<EndpointAddress[]>;
  abstract add(endpoint: WebhookEndpoint): Promise<void>;
  abstract lock(owner: EndpointOwner, id: WebhookId): Promise<WebhookEndpoint | undefined>;
  /** Writes a locked endpoint. */
  abstract save(endpoint: WebhookEndpoint): Promise<void>;
  abstract find(owner: EndpointOwner, id: WebhookId): Promise<EndpointDetails | undefined>;
  /** The request's only sort is `createdAt`. */
  abstract list(owner: EndpointOwner, request: PageRequest): Promise<Slice<EndpointDetails>>;
  /** Those whose deliveries fail, and those that Gala disabled. The longest failing come first. */
  abstract failing(ref: WorkspaceRef, most: number): Promise<EndpointDetails[]>;
  /** Whether any endpoint, in either mode, has accepted a test event. */
  abstract hasVerified(workspaceId: WorkspaceId): Promise<boolean>;
}
