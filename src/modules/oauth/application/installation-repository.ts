import type { DomainEvent } from '../../../kernel/domain-event';
import type { AppId, InstallationId, UserId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { App } from '../domain/app';
import type { Installation } from '../domain/installation';

/** As people see it in the settings area. */
export interface InstalledApp extends Installation {
  /** E-mail address of the one who let it in last. */
  readonly installer: string;
  /** False when whoever let it in has left, and nobody else has since. */
  readonly isConnected: boolean;
}

export interface NewCode {
  readonly hash: Buffer;
  readonly redirectUri: string;
  readonly codeChallenge: string | undefined;
  readonly expiresAt: Date;
}

export abstract class InstallationRepository {
  /** Keeps others from changing it until the unit of work ends; whoever makes one holds the lock of the app. */
  abstract lockOf(ref: WorkspaceRef, app: App): Promise<Installation | undefined>;
  abstract add(installation: Installation, events: DomainEvent[]): Promise<void>;
  abstract setScopes(installation: Installation): Promise<void>;
  /** What `userId` allows, and the code with which the app gets its tokens. */
  abstract addGrant(installation: Installation, userId: UserId, code: NewCode, now: Date): Promise<void>;
  abstract lock(ref: WorkspaceRef, id: InstallationId): Promise<Installation | undefined>;
  /** Every installation of an app, locked in a fixed order. */
  abstract lockAllOf(appId: AppId): Promise<Installation[]>;
  /** Ends its grants and tokens with it. */
  abstract remove(installation: Installation, events: DomainEvent[]): Promise<void>;
  /** By name of the app. */
  abstract list(ref: WorkspaceRef): Promise<InstalledApp[]>;
  abstract find(ref: WorkspaceRef, id: InstallationId): Promise<InstalledApp | undefined>;
}
