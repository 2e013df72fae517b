import type { WorkspaceId } from '../../../kernel/ids';

export interface ClientCredentials {
  readonly clientId: string;
  /** Absent for public clients. */
  readonly clientSecret: string | undefined;
}

export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly scopes: readonly string[];
  readonly workspaceId: WorkspaceId;
}

/** A port that exchanges codes and refresh tokens (RFC 6749 sections 4.1.3 and 6). Throws OAuthError. */
export abstract class TokenEndpoint {
  /** @param waitedMs how long the request waited for its turn; a request that arrived beside another is no retry of it */
  abstract exchange(
    client: ClientCredentials,
    parameters: Readonly<Record<string, string>>,
    waitedMs: number,
  ): Promise<IssuedTokens>;
}
