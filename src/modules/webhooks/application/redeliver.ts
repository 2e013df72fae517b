import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import type { DeliveryId, WebhookId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { DeliveryView } from '../domain/delivery';
import { type EndpointDetails, testEvent } from '../domain/webhook-endpoint';
import { DeliveryRepository } from './delivery-repository';
import { EventAccess, scopesOf } from './event-access';
import { WebhookQueries } from './webhook-queries';

/** Sends on purpose what isn't sent by itself: a test, something once more, what was given up. */
@Injectable()
export class Redeliver {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly queries: WebhookQueries,
    private readonly access: EventAccess,
    private readonly clock: Clock,
  ) {}

  async test(ref: WorkspaceRef, actor: Actor, id: WebhookId): Promise<DeliveryView> {
    const endpoint = await this.enabled(ref, actor, id);
    return this.deliveries.addTest(testEvent(ref, endpoint, this.clock.now()), id);
  }

  async retry(ref: WorkspaceRef, actor: Actor, id: WebhookId, delivery: DeliveryId): Promise<DeliveryView> {
    const types = this.typesFor(actor, await this.enabled(ref, actor, id));
    const queued = await this.deliveries.retry(ref, id, delivery, this.clock.now(), types);
    if (!queued) throw new NotFound('delivery');
    return queued;
  }

  /** Resolves to the number of deliveries that are queued anew. */
  async recover(ref: WorkspaceRef, actor: Actor, id: WebhookId, since: Date): Promise<number> {
    const types = this.typesFor(actor, await this.enabled(ref, actor, id));
    return this.deliveries.recover(ref, id, since, this.clock.now(), types);
  }

  /** Of older deliveries, too, an endpoint gets only what its own scopes open. */
  private typesFor(actor: Actor, { scopes }: EndpointDetails): readonly string[] | undefined {
    return this.access.readableTypes(scopesOf(actor), scopes);
  }

  private async enabled(ref: WorkspaceRef, actor: Actor, id: WebhookId): Promise<EndpointDetails> {
    const endpoint = await this.queries.get(ref, actor, id);
    if (endpoint.status === 'disabled') {
      throw new ValidationFailed({
        field: 'status',
        message: 'is disabled: nothing is sent to this endpoint until it is enabled again',
      });
    }
    return endpoint;
  }
}
