import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import type { DeliveryId, WebhookId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { DeliveryView } from '../domain/delivery';
import { type EndpointDetails, TEST_EVENT, testEvent } from '../domain/webhook-endpoint';
import { DeliveryRepository } from './delivery-repository';
import { endpointsOf } from './endpoints-of';
import { EventAccess, scopesOf } from './event-access';
import { WebhookQueries } from './webhook-queries';
import { WebhookRepository } from './webhook-repository';

/** Sends on purpose what isn't sent by itself: a test, something once more, what was given up. */
@Injectable()
export class Redeliver {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly queries: WebhookQueries,
    private readonly access: EventAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** One test at a time, attempted once: while one is pending, it is that one. */
  test(ref: WorkspaceRef, actor: Actor, id: WebhookId): Promise<DeliveryView> {
    return this.unitOfWork.run(async () => {
      await this.webhooks.lock(endpointsOf(ref, actor), id);
      const endpoint = await this.enabled(ref, actor, id);
      const pending = await this.deliveries.pendingTest(ref, id);
      if (pending) return pending;
      return this.deliveries.addTest(testEvent(ref, endpoint, this.clock.now()), id, { isRetried: false });
    });
  }

  /** A pending test stays as it is. */
  retry(ref: WorkspaceRef, actor: Actor, id: WebhookId, delivery: DeliveryId): Promise<DeliveryView> {
    return this.unitOfWork.run(async () => {
      await this.webhooks.lock(endpointsOf(ref, actor), id);
      const types = this.typesFor(actor, await this.enabled(ref, actor, id));
      const found = await this.deliveries.find(ref, id, delivery, types);
      if (!found) throw new NotFound('delivery');
      if (found.eventType === TEST_EVENT) {
        if (found.status === 'pending') return found;
        await this.refuseSecondTest(ref, id);
      }
      return (await this.deliveries.retry(ref, id, delivery, this.clock.now(), types))!;
    });
  }

  /** Resolves to the number of deliveries that are queued anew. */
  async recover(ref: WorkspaceRef, actor: Actor, id: WebhookId, since: Date): Promise<number> {
    const types = this.typesFor(actor, await this.enabled(ref, actor, id));
    return this.deliveries.recover(ref, id, since, this.clock.now(), types);
  }

  private async refuseSecondTest(ref: WorkspaceRef, id: WebhookId): Promise<void> {
    if (!(await this.deliveries.pendingTest(ref, id))) return;
    throw new ValidationFailed({
      field: 'status',
      message: 'can’t be pending: another test of this endpoint is; retry this one when that has ended',
    });
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
