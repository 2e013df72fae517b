import type { ChannelId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Template } from '../domain/template';

/** What the provider's pages show, and one copies here. */
export interface Credentials {
  readonly phoneNumberId: string;
  readonly businessAccountId: string;
  readonly accessToken: string;
  readonly appSecret: string;
}

/** What the provider says of a number. */
export interface Account {
  readonly displayPhone: string;
  readonly verifiedName: string | null;
}

/** A workspace's number, as people may see it. */
export interface ConnectionView extends Account {
  readonly id: ChannelId;
  readonly phoneNumberId: string;
  readonly businessAccountId: string;
  /** What the provider is to show when it asks whether the callback address is right; entered there with it. */
  readonly verifyToken: string;
  readonly connectedAt: Date;
  /** When the provider proved its callback address; null: it is still to be entered there. */
  readonly verifiedAt: Date | null;
  readonly lastCallbackAt: Date | null;
}

export interface Connection extends ConnectionView, Credentials {
  readonly ref: WorkspaceRef;
}

export abstract class ConnectionRepository {
  abstract find(ref: WorkspaceRef): Promise<Connection | undefined>;
  /** Finds the workspace by what a callback's address says. */
  abstract findById(id: ChannelId): Promise<Connection | undefined>;
  /** A workspace has one: connecting again keeps the id and the verify token, and so what was entered at the provider. */
  abstract save(ref: WorkspaceRef, credentials: Credentials, account: Account, now: Date): Promise<ChannelId>;
  abstract remove(ref: WorkspaceRef): Promise<void>;
  abstract markVerified(ref: WorkspaceRef, now: Date): Promise<void>;
  abstract markCallback(ref: WorkspaceRef, now: Date): Promise<void>;
}

export abstract class TemplateRepository {
  abstract list(ref: WorkspaceRef): Promise<Template[]>;
  abstract replace(ref: WorkspaceRef, templates: readonly Template[]): Promise<void>;
}

/** A port: what the provider tells of an account. Refuses with a `ValidationFailed` that names the credential at fault. */
export abstract class ProviderAccounts {
  abstract describe(credentials: Credentials): Promise<Account>;
  abstract templates(credentials: Credentials): Promise<Template[]>;
}
