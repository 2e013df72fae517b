import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { type FieldProblem, NotFound, ValidationFailed } from '../../../kernel/errors';
import type { WebhookId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { Precondition } from '../../../kernel/precondition';
import { KeyLifetimes } from '../../api-keys';
import { AuditLog } from '../../audit-log';
import { countOnHost, isSameHost, MAX_ENDPOINTS_PER_HOST } from '../domain/hosts';
import {
  type EndpointMaker,
  type EndpointStatus,
  testEvent,
  WebhookEndpoint,
  type WebhookEndpointView,
  type WebhookSettings,
} from '../domain/webhook-endpoint';
import { DeliveryRepository } from './delivery-repository';
import { endpointsOf } from './endpoints-of';
import { EventAccess, scopesOf } from './event-access';
import { UrlPolicy } from './url-policy';
import { auditEntry, type WebhookAction } from './webhook-actions';
import { type EndpointAddress, WebhookRepository } from './webhook-repository';

const MAX_ENDPOINTS = 50;

type Changes = Partial<WebhookSettings & { status: EndpointStatus }>;

/** The secret is shown once, when it is created. */
export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpointView;
  readonly secret: string;
}

@Injectable()
export class ManageWebhooks {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly urlPolicy: UrlPolicy,
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
      const others = await this.webhooks.lockAddresses(ref);
      if (others.length >= MAX_ENDPOINTS) {
        throw new ValidationFailed({
          field: 'url',
          message: `can’t be added: there are ${MAX_ENDPOINTS} endpoints already; delete one first`,
        });
      }
      const now = this.clock.now();
      const verifiedAt = this.isKnownHost(settings.url, others) ? now : null;
      const endpoint = WebhookEndpoint.register(ref, { ...settings, verifiedAt }, maker, now);
      await this.webhooks.add(endpoint);
      if (!verifiedAt) await this.sendTest(endpoint);
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
        const { url = locked.url } = changes;
        const isTried = url !== locked.url || (locked.status === 'disabled' && changes.status === 'enabled');
        if (url !== locked.url || changes.events || locked.isRevivedBy(changes, maker))
          this.refuseBeyond(locked, maker);
        if (url !== locked.url) await this.redirect(locked, url, maker);
        locked.change(changes, maker);
        if (isTried && !locked.verifiedAt && locked.status === 'enabled') await this.sendTest(locked);
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
      (locked, maker) => {
        this.refuseBeyond(locked, maker);
        locked.rotateSecret(maker, this.clock.now());
      },
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

  /**
   * Whether another endpoint has verified the host. A new host must first answer a test event, since the person who names it
   * may have no right to it.
   *
   * @throws ValidationFailed when the host has too many endpoints already
   */
  private isKnownHost(url: string, others: readonly EndpointAddress[]): boolean {
    const urls = others.map((other) => other.url);
    if (countOnHost(url, urls) >= MAX_ENDPOINTS_PER_HOST) {
      throw new ValidationFailed({
        field: 'url',
        message: `can’t lead to this host: ${MAX_ENDPOINTS_PER_HOST} endpoints do already; delete one first`,
      });
    }
    return others.some((other) => other.isVerified && isSameHost(other.url, url));
  }

  private async sendTest(endpoint: WebhookEndpoint): Promise<void> {
    await this.deliveries.giveUpTests(endpoint, endpoint.id);
    const event = testEvent(endpoint, endpoint.view(), this.clock.now());
    await this.deliveries.addTest(event, endpoint.id, { isRetried: true });
  }

  /** The new address receives pending deliveries too, so those that the maker may not read are given up. */
  private async redirect(endpoint: WebhookEndpoint, url: string, { scopes }: EndpointMaker): Promise<void> {
    if (!isSameHost(url, endpoint.url)) {
      const addresses = await this.webhooks.lockAddresses(endpoint);
      const others = addresses.filter(({ id }) => id !== endpoint.id);
      endpoint.verifiedAt = this.isKnownHost(url, others) ? this.clock.now() : null;
    }
    const types = this.access.readableTypes(scopes);
    if (types) await this.deliveries.giveUpOthers(endpoint, endpoint.id, types);
  }

  /**
   * A credential can't take over an endpoint that receives more than the credential may read, not even by first choosing
   * fewer events: it would learn the secret that the receiver trusts.
   */
  private refuseBeyond({ events, scopes }: WebhookEndpoint, maker: EndpointMaker): void {
    this.access.refuseBeyond(events, scopes, maker.scopes);
  }

  private record(action: WebhookAction, actor: Actor, endpoint: WebhookEndpoint): Promise<void> {
    return this.auditLog.append(auditEntry(action, actor, endpoint));
  }

  private check({ url, events }: Changes): void {
    const problems = [
      { field: 'url', message: url === undefined ? undefined : this.urlPolicy.problem(url) },
      { field: 'events', message: events && this.access.patternProblem(events) },
    ].filter((problem): problem is FieldProblem => problem.message !== undefined);
    const [first, ...more] = problems;
    if (first) throw new ValidationFailed(first, ...more);
  }
}
