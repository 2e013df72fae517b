import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import { NotFound } from '../../../kernel/errors';
import type { DeliveryId, WebhookId, WorkspaceId } from '../../../kernel/ids';
import { type Page, pageOf, type PageRequest } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { DeliveryStatus, DeliveryView } from '../domain/delivery';
import type { EndpointDetails } from '../domain/webhook-endpoint';
import { DeliveryRepository } from './delivery-repository';
import { endpointsOf } from './endpoints-of';
import { EventAccess, scopesOf } from './event-access';
import { WebhookRepository } from './webhook-repository';

@Injectable()
export class WebhookQueries {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly access: EventAccess,
  ) {}

  async get(ref: WorkspaceRef, actor: Actor, id: WebhookId): Promise<EndpointDetails> {
    const endpoint = await this.webhooks.find(endpointsOf(ref, actor), id);
    if (!endpoint) throw new NotFound('webhook endpoint');
    return endpoint;
  }

  async list(ref: WorkspaceRef, actor: Actor, request: PageRequest): Promise<Page<EndpointDetails>> {
    return pageOf(request, await this.webhooks.list(endpointsOf(ref, actor), request), positionOf);
  }

  /** For people: those whose deliveries fail, and those that Gala disabled. */
  failing(ref: WorkspaceRef, most: number): Promise<EndpointDetails[]> {
    return this.webhooks.failing(ref, most);
  }

  hasVerified(workspaceId: WorkspaceId): Promise<boolean> {
    return this.webhooks.hasVerified(workspaceId);
  }

  async delivery(
    ref: WorkspaceRef,
    actor: Actor,
    endpoint: WebhookId,
    id: DeliveryId,
  ): Promise<DeliveryView> {
    await this.get(ref, actor, endpoint);
    const delivery = await this.deliveries.find(
      ref,
      endpoint,
      id,
      this.access.readableTypes(scopesOf(actor)),
    );
    if (!delivery) throw new NotFound('delivery');
    return delivery;
  }

  /** The body of a delivery, byte for byte. For people only: it may hold fields that a credential may not read. */
  async deliveryBody(ref: WorkspaceRef, actor: Actor, endpoint: WebhookId, id: DeliveryId): Promise<string> {
    await this.get(ref, actor, endpoint);
    const body = await this.deliveries.body(ref, endpoint, id);
    if (body === undefined) throw new NotFound('delivery');
    return body;
  }

  async listDeliveries(
    ref: WorkspaceRef,
    actor: Actor,
    endpoint: WebhookId,
    filter: { status?: DeliveryStatus },
    request: PageRequest,
  ): Promise<Page<DeliveryView>> {
    await this.get(ref, actor, endpoint);
    const types = this.access.readableTypes(scopesOf(actor));
    const slice = await this.deliveries.list(ref, endpoint, { ...filter, types }, request);
    return pageOf(request, slice, positionOf);
  }
}

function positionOf({ createdAt, id }: { createdAt: Date; id: string }) {
  return { value: createdAt.toISOString(), id };
}
