import type { ChannelId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Template } from '../domain/template';

/** Credentials that people copy from the provider's pages. */
export interface Credentials {
  readonly phoneNumberId: string;
  readonly businessAccountId: string;
  readonly accessToken: string;
  readonly appSecret: string;
}

/** The provider's details of a number. */
export interface Account {
  readonly displayPhone: string;
  readonly verifiedName: string | null;
}

/** The connection of a workspace's number, without secrets. */
export interface ConnectionView extends Account {
  readonly id: ChannelId;
  readonly phoneNumberId: string;
  readonly businessAccountId: string;
  /** Entered at the provider together with the callback address, and sent by it to verify that address. */
  readonly verifyToken: string;
  readonly connectedAt: Date;
  /** When the provider verified the callback address; null until it was entered there. */
  readonly verifiedAt: Date | null;
  readonly lastCallbackAt: Date | null;
}

export interface Connection extends ConnectionView, Credentials {
  readonly ref: WorkspaceRef;
}

export abstract class ConnectionRepository {
  abstract find(ref: WorkspaceRef): Promise<Connection | undefined>;
  /** Finds the connection that a callback's address names. */
  abstract findById(id: ChannelId): Promise<Connection | undefined>;
  /** Replaces the workspace's connection. Its id and verify token stay, so that the provider's settings stay valid. */
  abstract save(ref: WorkspaceRef, credentials: Credentials, account: Account, now: Date): Promise<ChannelId>;
  abstract remove(ref: WorkspaceRef): Promise<void>;
  abstract markVerified(ref: WorkspaceRef, now: Date): Promise<void>;
  abstract markCallback(ref: WorkspaceRef, now: Date): Promise<void>;
}

export abstract class TemplateRepository {
  abstract list(ref: WorkspaceRef): Promise<Template[]>;
  abstract replace(ref: WorkspaceRef, templates: readonly Template[]): Promise<void>;
}

/** A port: accounts at the provider. Throws a `ValidationFailed` that names the wrong credential. */
export abstract class ProviderAccounts {
  abstract describe(credentials: Credentials): Promise<Account>;
  abstract templates(credentials: Credentials): Promise<Template[]>;
}
