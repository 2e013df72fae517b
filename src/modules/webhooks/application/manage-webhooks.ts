import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { type FieldProblem, NotFound, ValidationFailed } from '../../../kernel/errors';
import { EventTypes } from '../../../kernel/event-types';
import type { WebhookId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { Precondition } from '../../../kernel/precondition';
import { KeyLifetimes } from '../../api-keys';
import { AuditLog } from '../../audit-log';
import { isEventPattern, patternCountProblem } from '../domain/event-pattern';
import {
  type EndpointMaker,
  type EndpointStatus,
  WebhookEndpoint,
  type WebhookEndpointView,
  type WebhookSettings,
} from '../domain/webhook-endpoint';
import { DeliveryRepository } from './delivery-repository';
import { endpointsOf } from './endpoints-of';
import { EventAccess, scopesOf } from './event-access';
import { UrlPolicy } from './url-policy';
import { auditEntry, type WebhookAction } from './webhook-actions';
import { WebhookRepository } from './webhook-repository';

const MAX_ENDPOINTS = 50;

type Changes = Partial<WebhookSettings & { status: EndpointStatus }>;

/** The secret is shown when it is made, and never again. */
export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpointView;
  readonly secret: string;
}

@Injectable()
export class ManageWebhooks {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly urlPolicy: UrlPolicy,
    private readonly eventTypes: EventTypes,
    private readonly access: EventAccess,
    private readonly deliveries: DeliveryRepository,
    private readonly keyLifetimes: KeyLifetimes,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  create(ref: WorkspaceRef, actor: Actor, settings: WebhookSettings): Promise<EndpointWithSecret> {
    this.access.refuseUnreadable(settings.events, scopesOf(actor));
    this.check(settings);
    return this.unitOfWork.run(async () => {
      const maker = await this.makerOf(ref, actor);
      if ((await this.webhooks.lockAndCount(ref)) >= MAX_ENDPOINTS) {
        throw new ValidationFailed({
          field: 'url',
          message: `can’t be added: there are ${MAX_ENDPOINTS} endpoints already; delete one first`,
        });
      }
      const endpoint = WebhookEndpoint.register(ref, settings, maker, this.clock.now());
      await this.webhooks.add(endpoint);
      await this.record('webhook.created', actor, endpoint);
      return { endpoint: endpoint.view(), secret: endpoint.secret };
    });
  }

  async change(
    ref: WorkspaceRef,
    actor: Actor,
    id: WebhookId,
    changes: Changes,
    seen?: Precondition,
  ): Promise<WebhookEndpointView> {
    if (changes.events) this.access.refuseUnreadable(changes.events, scopesOf(actor));
    this.check(changes);
    const endpoint = await this.onLocked(
      { ref, id, seen },
      'webhook.updated',
      actor,
      async (locked, maker) => {
        if (changes.url !== undefined && changes.url !== locked.url)
          await this.refuseRedirection(locked, maker);
        locked.change(changes, maker);
      },
    );
    return endpoint.view();
  }

  async rotateSecret(
    ref: WorkspaceRef,
    actor: Actor,
    id: WebhookId,
    seen?: Precondition,
  ): Promise<EndpointWithSecret> {
    const endpoint = await this.onLocked(
      { ref, id, seen },
      'webhook.secret_rotated',
      actor,
      (locked, maker) => locked.rotateSecret(maker, this.clock.now()),
    );
    return { endpoint: endpoint.view(), secret: endpoint.secret };
  }

  async delete(
    ref: WorkspaceRef,
    actor: Actor,
    id: WebhookId,
    seen?: Precondition,
  ): Promise<WebhookEndpointView> {
    const endpoint = await this.onLocked({ ref, id, seen }, 'webhook.deleted', actor, (locked) =>
      locked.delete(this.clock.now()),
    );
    return endpoint.view();
  }

  private onLocked(
    { ref, id, seen }: { ref: WorkspaceRef; id: WebhookId; seen?: Precondition },
    action: WebhookAction,
    actor: Actor,
    work: (endpoint: WebhookEndpoint, maker: EndpointMaker) => void | Promise<void>,
  ): Promise<WebhookEndpoint> {
    return this.unitOfWork.run(async () => {
      const maker = await this.makerOf(ref, actor);
      const endpoint = await this.webhooks.lock(endpointsOf(ref, actor), id);
      if (!endpoint) throw new NotFound('webhook endpoint');
      seen?.check(endpoint.view());
      await work(endpoint, maker);
      await this.webhooks.save(endpoint);
      await this.record(action, actor, endpoint);
      return endpoint;
    });
  }

  private async makerOf(ref: WorkspaceRef, actor: Actor): Promise<EndpointMaker> {
    const { installationId } = endpointsOf(ref, actor);
    const endsAt = actor.type === 'api_key' ? await this.keyLifetimes.endOf(ref, actor.id!) : null;
    return { scopes: scopesOf(actor), endsAt, installationId };
  }

  /** Who names another address reads what is sent there: all of it, and what waits as well. */
  private async refuseRedirection(endpoint: WebhookEndpoint, { scopes }: EndpointMaker): Promise<void> {
    this.access.refuseBeyond(endpoint.events, endpoint.scopes, scopes);
    const types = this.access.readableTypes(scopes);
    if (types) await this.deliveries.giveUpOthers(endpoint, endpoint.id, types);
  }

  private record(action: WebhookAction, actor: Actor, endpoint: WebhookEndpoint): Promise<void> {
    return this.auditLog.append(auditEntry(action, actor, endpoint));
  }

  private check({ url, events }: Changes): void {
    const problems = [
      { field: 'url', message: url === undefined ? undefined : this.urlPolicy.problem(url) },
      { field: 'events', message: events && this.problemOf(events) },
    ].filter((problem): problem is FieldProblem => problem.message !== undefined);
    const [first, ...more] = problems;
    if (first) throw new ValidationFailed(first, ...more);
  }

  private problemOf(events: readonly string[]): string | undefined {
    const countProblem = patternCountProblem(events);
    if (countProblem) return countProblem;
    const types = this.eventTypes.names();
    const unknown = events.find((pattern) => !isEventPattern(pattern, types));
    return unknown === undefined
      ? undefined
      : `there is no event type ${JSON.stringify(unknown)}: /docs/guides/webhooks lists them`;
  }
}
