import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../kernel/errors';
import type { DeliveryId, WebhookId } from '../../../kernel/ids';
import { type Page, pageOf, type PageRequest } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { DeliveryStatus, DeliveryView } from '../domain/delivery';
import type { WebhookEndpointView } from '../domain/webhook-endpoint';
import { DeliveryRepository } from './delivery-repository';
import { WebhookRepository } from './webhook-repository';

@Injectable()
export class WebhookQueries {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly deliveries: DeliveryRepository,
  ) {}

  async get(ref: WorkspaceRef, id: WebhookId): Promise<WebhookEndpointView> {
    const endpoint = await this.webhooks.find(ref, id);
    if (!endpoint) throw new NotFound('webhook endpoint');
    return endpoint;
  }

  async list(ref: WorkspaceRef, request: PageRequest): Promise<Page<WebhookEndpointView>> {
    return pageOf(request, await this.webhooks.list(ref, request), positionOf);
  }

  async delivery(ref: WorkspaceRef, endpoint: WebhookId, id: DeliveryId): Promise<DeliveryView> {
    const delivery = await this.deliveries.find(ref, endpoint, id);
    if (!delivery) throw new NotFound('delivery');
    return delivery;
  }

  async listDeliveries(
    ref: WorkspaceRef,
    endpoint: WebhookId,
    filter: { status?: DeliveryStatus },
    request: PageRequest,
  ): Promise<Page<DeliveryView>> {
    await this.get(ref, endpoint);
    return pageOf(request, await this.deliveries.list(ref, endpoint, filter, request), positionOf);
  }
}

function positionOf({ createdAt, id }: { createdAt: Date; id: string }) {
  return { value: createdAt.toISOString(), id };
}
