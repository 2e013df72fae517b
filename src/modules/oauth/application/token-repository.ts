import type { AppId, InstallationId, UserId, WorkspaceId } from '../../../kernel/ids';
import type { Mode } from '../../../kernel/principal';
import type { Rotation } from '../domain/tokens';

/** The access that a person gave an app. Its codes and tokens are deleted with it. */
export interface Grant extends Rotation {
  readonly id: string;
  readonly appId: AppId;
  readonly workspaceId: WorkspaceId;
  readonly mode: Mode;
  readonly installationId: InstallationId;
  readonly userId: UserId;
  readonly scopes: readonly string[];
}

export interface StoredCode {
  readonly grant: Grant;
  readonly redirectUri: string;
  readonly codeChallenge: string | undefined;
  readonly expiresAt: Date;
  readonly wasUsed: boolean;
}

export interface StoredToken {
  readonly kind: 'access' | 'refresh';
  readonly grant: Grant;
  readonly scopes: readonly string[];
  readonly createdAt: Date | null;
  readonly expiresAt: Date;
  /** Set for refresh tokens only. */
  readonly generation: number | null;
}

export interface NewTokens {
  readonly accessHash: Buffer;
  readonly accessScopes: readonly string[];
  readonly accessExpiresAt: Date;
  readonly refreshHash: Buffer;
  readonly refreshExpiresAt: Date;
}

/** Authorization codes and tokens. Only their hashes are stored. */
export abstract class TokenRepository {
  /** Locks the code's grant until the unit of work ends. */
  abstract lockCode(hash: Buffer): Promise<StoredCode | undefined>;
  abstract markUsed(codeHash: Buffer, now: Date): Promise<void>;
  /** Locks the token's grant until the unit of work ends. */
  abstract lockRefreshToken(hash: Buffer): Promise<StoredToken | undefined>;
  abstract find(hash: Buffer): Promise<StoredToken | undefined>;
  /** Stores new tokens for a locked grant, the refresh token with the grant's `generation`, and deletes expired ones. */
  abstract add(grant: Grant, tokens: NewTokens, now: Date): Promise<void>;
  /** Starts the next generation of a locked grant. */
  abstract rotate(grant: Grant, now: Date): Promise<Grant>;
  abstract removeAccessToken(hash: Buffer): Promise<void>;
  abstract removeGrant(id: string): Promise<void>;
}
