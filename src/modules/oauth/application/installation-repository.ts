import type { DomainEvent } from '../../../kernel/domain-event';
import type { AppId, InstallationId, UserId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { App } from '../domain/app';
import type { Installation } from '../domain/installation';

/** An installation as the settings area shows it. */
export interface InstalledApp extends Installation {
  /** Email address of the person who last gave it access. */
  readonly installer: string;
  /** False when no refresh token is left, for example because the person who gave access has left the workspace. */
  readonly isConnected: boolean;
}

export interface NewCode {
  readonly hash: Buffer;
  readonly redirectUri: string;
  readonly codeChallenge: string | undefined;
  readonly expiresAt: Date;
}

export abstract class InstallationRepository {
  /** Reads an installation and locks it until the unit of work ends. Lock the app before adding one. */
  abstract lockOf(ref: WorkspaceRef, app: App): Promise<Installation | undefined>;
  abstract add(installation: Installation, events: DomainEvent[]): Promise<void>;
  abstract setScopes(installation: Installation): Promise<void>;
  /** Adds the grant of a person, and the code that the app exchanges for tokens. */
  abstract addGrant(installation: Installation, userId: UserId, code: NewCode, now: Date): Promise<void>;
  abstract lock(ref: WorkspaceRef, id: InstallationId): Promise<Installation | undefined>;
  /** Locks every installation of an app, in a fixed order. */
  abstract lockAllOf(appId: AppId): Promise<Installation[]>;
  /** Removes an installation with its grants and tokens. */
  abstract remove(installation: Installation, events: DomainEvent[]): Promise<void>;
  /** Ordered by the app's name. */
  abstract list(ref: WorkspaceRef): Promise<InstalledApp[]>;
  abstract find(ref: WorkspaceRef, id: InstallationId): Promise<InstalledApp | undefined>;
}
