import { type DomainEvent, domainEvent } from '../../../kernel/domain-event';
import { Forbidden } from '../../../kernel/errors';
import type { ReaderScopes } from '../../../kernel/event-types';
import { type InstallationId, newId, type WebhookId, type WorkspaceId } from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { newWebhookSecret } from './webhook-secret';

/** How long the secret before also signs, so that a receiver can change over. */
const OVERLAP_MS = 24 * 3600 * 1000;

export type EndpointStatus = 'enabled' | 'disabled';

/** An endpoint as the API shows it; its secret is shown when it is made. */
export interface WebhookEndpointView {
  id: WebhookId;
  url: string;
  events: readonly string[];
  description: string | null;
  status: EndpointStatus;
  disabledReason: string | null;
  /** When it is disabled, since the key that made it expires then; null for never. */
  expiresAt: Date | null;
  /** When its host first took a test event; null while events wait for that. */
  verifiedAt: Date | null;
  createdAt: Date;
  /** Counts the changes of all that is shown here, and of the secret. */
  revision: number;
}

/** Who makes or changes an endpoint. It gets no event that they may not read, and doesn't outlive them. */
export interface EndpointMaker {
  readonly scopes: ReaderScopes;
  /** When their credential stops working; null for never. */
  readonly endsAt: Date | null;
  /** Null when it isn't an app. */
  readonly installationId: InstallationId | null;
}

/** What the settings area tells besides. */
export interface EndpointDetails extends WebhookEndpointView {
  /** The app that made it; null when a key or a person did. */
  installationId: InstallationId | null;
  /** Until then the secret before signs as well; null when there is none. */
  previousSecretEndsAt: Date | null;
  /** Since when it does nothing but fail. */
  failingSince: Date | null;
  /** It gets only events that these scopes open; null when a person chose its events, and for all. */
  scopes: ReaderScopes;
}

export interface WebhookSettings {
  url: string;
  events: readonly string[];
  description: string | null;
}

const BY_REQUEST = 'Disabled by request.';
export const TEST_EVENT = 'webhook.test';
export const EXPIRED = 'The API key that made it has expired.';

/** Somebody disabled it, and not Gala for its failures. */
export function isPaused({ status, disabledReason }: WebhookEndpointView): boolean {
  return status === 'disabled' && disabledReason === BY_REQUEST;
}

type Fields = Omit<
  WebhookEndpoint,
  'change' | 'isRevivedBy' | 'rotateSecret' | 'delete' | 'view' | 'secrets'
>;

/** Where a workspace wants to hear of its events. */
export class WebhookEndpoint {
  readonly workspaceId!: WorkspaceId;
  readonly mode!: Mode;
  readonly id!: WebhookId;
  url!: string;
  events!: readonly string[];
  description!: string | null;
  status!: EndpointStatus;
  disabledReason!: string | null;
  secret!: string;
  previousSecret!: string | null;
  previousSecretEndsAt!: Date | null;
  failingSince!: Date | null;
  /** As stored: an app's endpoint gets no more than the app may read by now. */
  scopes!: ReaderScopes;
  expiresAt!: Date | null;
  verifiedAt!: Date | null;
  /** The app that made it, and with which it goes; null when a key or a person did. */
  readonly installationId!: InstallationId | null;
  readonly createdAt!: Date;
  deletedAt!: Date | null;
  revision!: number;

  private constructor(fields: Fields) {
    Object.assign(this, fields);
  }

  /** As stored. */
  static from(fields: Fields): WebhookEndpoint {
    return new WebhookEndpoint(fields);
  }

  static register(
    { workspaceId, mode }: WorkspaceRef,
    settings: WebhookSettings & { verifiedAt: Date | null },
    { scopes, endsAt, installationId }: EndpointMaker,
    now: Date,
  ): WebhookEndpoint {
    return new WebhookEndpoint({
      workspaceId,
      mode,
      id: newId('wh'),
      ...settings,
      events: [...new Set(settings.events)],
      status: 'enabled',
      disabledReason: null,
      secret: newWebhookSecret(),
      previousSecret: null,
      previousSecretEndsAt: null,
      failingSince: null,
      scopes,
      expiresAt: endsAt,
      installationId,
      createdAt: now,
      deletedAt: null,
      revision: 1,
    });
  }

  /** What isn't given stays. */
  change(changes: Partial<WebhookSettings & { status: EndpointStatus }>, maker: EndpointMaker): void {
    const before = JSON.stringify(this.view());
    this.apply(changes, maker);
    if (JSON.stringify(this.view()) !== before) this.revision++;
  }

  private apply(changes: Partial<WebhookSettings & { status: EndpointStatus }>, maker: EndpointMaker): void {
    const { url = this.url, events, description, status = this.status } = changes;
    const patterns = events ? [...new Set(events)] : this.events;
    const hasOtherEvents = patterns.toSorted().join() !== this.events.toSorted().join();
    const isEnabled = status === 'enabled' && this.status === 'disabled';
    if (url !== this.url || hasOtherEvents || isEnabled) this.refuseShorterLived(maker);
    if (hasOtherEvents && this.isChosenBy(maker)) this.scopes = maker.scopes;
    else if (url !== this.url || hasOtherEvents || this.isRevivedBy(changes, maker))
      this.narrowTo(maker.scopes);
    this.url = url;
    this.events = patterns;
    if (description !== undefined) this.description = description;
    if (changes.status === 'enabled') this.keepAsLongAs(maker);
    if (status === this.status) return;
    this.status = status;
    this.disabledReason = status === 'disabled' ? BY_REQUEST : null;
    this.failingSince = null;
  }

  /** Whether these changes enable it, or make it last longer. */
  isRevivedBy({ status }: { status?: EndpointStatus }, maker: EndpointMaker): boolean {
    return status === 'enabled' && (this.status === 'disabled' || this.wouldOutlast(maker));
  }

  rotateSecret(maker: EndpointMaker, now: Date): void {
    this.refuseShorterLived(maker);
    this.previousSecret = this.secret;
    this.previousSecretEndsAt = new Date(now.getTime() + OVERLAP_MS);
    this.secret = newWebhookSecret();
    this.revision++;
  }

  private refuseShorterLived({ endsAt }: EndpointMaker): void {
    if (!endsAt || (this.expiresAt && this.expiresAt <= endsAt)) return;
    throw new Forbidden(
      `The calling key ends at ${endsAt.toISOString()}, and this endpoint outlives it: change it with a key that works as long, or in the settings. The key may pause or delete it.`,
    );
  }

  private keepAsLongAs(maker: EndpointMaker): void {
    if (this.wouldOutlast(maker)) this.expiresAt = maker.endsAt;
  }

  /** Whether the caller's credential works longer than this endpoint. */
  private wouldOutlast({ endsAt }: EndpointMaker): boolean {
    return this.expiresAt !== null && (!endsAt || endsAt > this.expiresAt);
  }

  /** An app sets the scopes of its own endpoints anew, a person those of all others; everyone else only narrows them. */
  private isChosenBy({ installationId, scopes }: EndpointMaker): boolean {
    return this.installationId ? installationId === this.installationId : scopes === null;
  }

  private narrowTo(scopes: ReaderScopes): void {
    if (!scopes) return;
    this.scopes = this.scopes?.filter((scope) => scopes.includes(scope)) ?? scopes;
  }

  delete(now: Date): void {
    this.status = 'disabled';
    this.disabledReason = 'Deleted.';
    this.deletedAt = now;
    this.revision++;
  }

  /** Those that sign at the moment, the latest first. */
  secrets(now: Date): string[] {
    const { previousSecret, previousSecretEndsAt } = this;
    const overlaps = previousSecret && previousSecretEndsAt && previousSecretEndsAt > now;
    return overlaps ? [this.secret, previousSecret] : [this.secret];
  }

  view(): WebhookEndpointView {
    return viewOf(this);
  }
}

/** Is sent to the endpoint alone. Until it has taken one at its host, no other event is. */
export function testEvent(
  { workspaceId, mode }: WorkspaceRef,
  endpoint: WebhookEndpointView,
  now: Date,
): DomainEvent {
  const workspace = { workspaceId, mode };
  return domainEvent({ type: TEST_EVENT, workspace, timestamp: now, data: viewOf(endpoint) });
}

export function viewOf(endpoint: WebhookEndpointView): WebhookEndpointView {
  const { id, url, events, description, status, disabledReason } = endpoint;
  const { expiresAt, verifiedAt, createdAt, revision } = endpoint;
  return { id, url, events, description, status, disabledReason, expiresAt, verifiedAt, createdAt, revision };
}
