import { type DomainEvent, domainEvent } from '../../../kernel/domain-event';
import type { CauseType } from '../../../kernel/cause';
import { Forbidden } from '../../../kernel/errors';
import type { ReaderScopes } from '../../../kernel/event-types';
import { type InstallationId, newId, type WebhookId, type WorkspaceId } from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { newWebhookSecret } from './webhook-secret';

/** How long the previous secret also signs, so that receivers can switch. */
const OVERLAP_MS = 24 * 3600 * 1000;

export type EndpointStatus = 'enabled' | 'disabled';

/** An endpoint as the API shows it. */
export interface WebhookEndpointView {
  id: WebhookId;
  url: string;
  events: readonly string[];
  /** Events with these causes aren't sent to it. */
  skipCauses: readonly CauseType[];
  description: string | null;
  status: EndpointStatus;
  disabledReason: string | null;
  /** When the key that created it expires, and the endpoint is disabled; null for never. */
  expiresAt: Date | null;
  /** When its host first accepted a test event. While it is null, other events wait. */
  verifiedAt: Date | null;
  createdAt: Date;
  /** Counts the changes of these fields and of the secret. */
  revision: number;
}

/** The creator or editor of an endpoint. It receives no events that they may not read, and expires with their credential. */
export interface EndpointMaker {
  readonly scopes: ReaderScopes;
  /** When their credential expires; null for never. */
  readonly endsAt: Date | null;
  /** Null unless they are an app. */
  readonly installationId: InstallationId | null;
}

/** An endpoint as the settings area shows it. */
export interface EndpointDetails extends WebhookEndpointView {
  /** The app that created it; null when a key or a person did. */
  installationId: InstallationId | null;
  /** Until then, the previous secret signs as well; null without one. */
  previousSecretEndsAt: Date | null;
  /** Since when all attempts have failed. */
  failingSince: Date | null;
  /** It receives only events that these scopes may read; null means all, for endpoints whose events a person chose. */
  scopes: ReaderScopes;
}

export interface WebhookSettings {
  url: string;
  events: readonly string[];
  /** By default none. */
  skipCauses?: readonly CauseType[];
  description: string | null;
}

export const BY_REQUEST = 'Disabled by request.';
export const TEST_EVENT = 'webhook.test';
export const EXPIRED = 'The API key that made it has expired.';

/** Disabled on request, not by Gala. */
export function isPaused({ status, disabledReason }: WebhookEndpointView): boolean {
  return status === 'disabled' && disabledReason === BY_REQUEST;
}

type Fields = Omit<
  WebhookEndpoint,
  'change' | 'isRevivedBy' | 'rotateSecret' | 'delete' | 'view' | 'secrets'
>;

/** An address that a workspace's events are delivered to. */
export class WebhookEndpoint {
  readonly workspaceId!: WorkspaceId;
  readonly mode!: Mode;
  readonly id!: WebhookId;
  url!: string;
  events!: readonly string[];
  skipCauses!: readonly CauseType[];
  description!: string | null;
  status!: EndpointStatus;
  disabledReason!: string | null;
  secret!: string;
  previousSecret!: string | null;
  previousSecretEndsAt!: Date | null;
  failingSince!: Date | null;
  /** As stored. The current scopes of an app limit its endpoints further. */
  scopes!: ReaderScopes;
  expiresAt!: Date | null;
  verifiedAt!: Date | null;
  /** The app that created it; its endpoints end with it. Null when a key or a person did. */
  readonly installationId!: InstallationId | null;
  readonly createdAt!: Date;
  deletedAt!: Date | null;
  revision!: number;

  private constructor(fields: Fields) {
    Object.assign(this, fields);
  }

  /** An endpoint from the database. */
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
      skipCauses: [...new Set(settings.skipCauses)],
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

  /** Fields that aren't given stay unchanged. */
  change(changes: Partial<WebhookSettings & { status: EndpointStatus }>, maker: EndpointMaker): void {
    const before = JSON.stringify(this.view());
    this.apply(changes, maker);
    if (JSON.stringify(this.view()) !== before) this.revision++;
  }

  private apply(changes: Partial<WebhookSettings & { status: EndpointStatus }>, maker: EndpointMaker): void {
    const { url = this.url, events, skipCauses, description, status = this.status } = changes;
    const patterns = events ? [...new Set(events)] : this.events;
    const hasOtherEvents = patterns.toSorted().join() !== this.events.toSorted().join();
    const isEnabled = status === 'enabled' && this.status === 'disabled';
    if (url !== this.url || hasOtherEvents || isEnabled) this.refuseShorterLived(maker);
    if (hasOtherEvents && this.isChosenBy(maker)) this.scopes = maker.scopes;
    else if (url !== this.url || hasOtherEvents || this.isRevivedBy(changes, maker))
      this.narrowTo(maker.scopes);
    this.url = url;
    this.events = patterns;
    if (skipCauses) this.skipCauses = [...new Set(skipCauses)];
    if (description !== undefined) this.description = description;
    if (changes.status === 'enabled') this.keepAsLongAs(maker);
    if (status === this.status) return;
    this.status = status;
    this.disabledReason = status === 'disabled' ? BY_REQUEST : null;
    this.failingSince = null;
  }

  /** Whether these changes enable it, or extend its life. */
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

  /** Whether the maker's credential expires after this endpoint. */
  private wouldOutlast({ endsAt }: EndpointMaker): boolean {
    return this.expiresAt !== null && (!endsAt || endsAt > this.expiresAt);
  }

  /** An app replaces the scopes of its own endpoints, a person those of all others. Anyone else only narrows them. */
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

  /** The secrets that sign now, latest first. */
  secrets(now: Date): string[] {
    const { previousSecret, previousSecretEndsAt } = this;
    const overlaps = previousSecret && previousSecretEndsAt && previousSecretEndsAt > now;
    return overlaps ? [this.secret, previousSecret] : [this.secret];
  }

  view(): WebhookEndpointView {
    return viewOf(this);
  }
}

/** A test event. An endpoint on a new host receives no others until it has accepted one. */
export function testEvent(
  { workspaceId, mode }: WorkspaceRef,
  endpoint: WebhookEndpointView,
  now: Date,
): DomainEvent {
  const workspace = { workspaceId, mode };
  return domainEvent({ type: TEST_EVENT, workspace, timestamp: now, data: viewOf(endpoint) });
}

export function viewOf(endpoint: WebhookEndpointView): WebhookEndpointView {
  const { id, url, events, skipCauses, description, status, disabledReason } = endpoint;
  const { expiresAt, verifiedAt, createdAt, revision } = endpoint;
  return {
    ...{ id, url, events, skipCauses, description, status, disabledReason },
    ...{ expiresAt, verifiedAt, createdAt, revision },
  };
}
