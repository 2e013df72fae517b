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

/** Sends on request: a test, one delivery again, or all failed ones. */
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

  /** Queues a test for one attempt. While a test is pending, resolves to that one instead. */
  test(ref: WorkspaceRef, actor: Actor, id: WebhookId): Promise<DeliveryView> {
    return this.unitOfWork.run(async () => {
      await this.webhooks.lock(endpointsOf(ref, actor), id);
      const endpoint = await this.enabled(ref, actor, id);
      const pending = await this.deliveries.pendingTest(ref, id);
      if (pending) return pending;
      return this.deliveries.addTest(testEvent(ref, endpoint, this.clock.now()), id, { isRetried: false });
    });
  }

  /** Queues a delivery again. A pending test stays unchanged. */
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

  /** Queues the failed deliveries created since then again, and resolves to their number. */
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

  /** An endpoint's scopes limit older deliveries too, which may date from before its scopes were narrowed. */
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
