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
  createdAt: Date;
}

/** What the settings area tells besides. */
export interface EndpointDetails extends WebhookEndpointView {
  /** The app that made it; null when a key or a person did. */
  installationId: InstallationId | null;
  /** Until then the secret before signs as well; null when there is none. */
  previousSecretEndsAt: Date | null;
  /** Since when it does nothing but fail. */
  failingSince: Date | null;
}

export interface WebhookSettings {
  url: string;
  events: readonly string[];
  description: string | null;
}

const BY_REQUEST = 'Disabled by request.';

/** Somebody disabled it, and not Gala for its failures. */
export function isPaused({ status, disabledReason }: WebhookEndpointView): boolean {
  return status === 'disabled' && disabledReason === BY_REQUEST;
}

type Fields = Omit<WebhookEndpoint, 'change' | 'rotateSecret' | 'delete' | 'view' | 'secrets'>;

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
  /** The app that made it, and with which it goes; null when a key or a person did. */
  readonly installationId!: InstallationId | null;
  readonly createdAt!: Date;
  deletedAt!: Date | null;

  private constructor(fields: Fields) {
    Object.assign(this, fields);
  }

  /** As stored. */
  static from(fields: Fields): WebhookEndpoint {
    return new WebhookEndpoint(fields);
  }

  static register(
    { workspaceId, mode, installationId }: WorkspaceRef & Pick<WebhookEndpoint, 'installationId'>,
    settings: WebhookSettings,
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
      installationId,
      createdAt: now,
      deletedAt: null,
    });
  }

  /** What isn't given stays. */
  change({ url, events, description, status }: Partial<WebhookSettings & { status: EndpointStatus }>): void {
    if (url !== undefined) this.url = url;
    if (events !== undefined) this.events = [...new Set(events)];
    if (description !== undefined) this.description = description;
    if (!status || status === this.status) return;
    this.status = status;
    this.disabledReason = status === 'disabled' ? BY_REQUEST : null;
    this.failingSince = null;
  }

  rotateSecret(now: Date): void {
    this.previousSecret = this.secret;
    this.previousSecretEndsAt = new Date(now.getTime() + OVERLAP_MS);
    this.secret = newWebhookSecret();
  }

  delete(now: Date): void {
    this.status = 'disabled';
    this.disabledReason = 'Deleted.';
    this.deletedAt = now;
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

export function viewOf(endpoint: WebhookEndpointView): WebhookEndpointView {
  const { id, url, events, description, status, disabledReason, createdAt } = endpoint;
  return { id, url, events, description, status, disabledReason, createdAt };
}
