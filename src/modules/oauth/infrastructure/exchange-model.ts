import type OAuth2Server from '@node-oauth/oauth2-server';
import type { Clock } from '../../../kernel/clock';
import { hashSecretToken } from '../../../kernel/secret-token';
import type { IssuedTokens } from '../application/token-endpoint';
import type { Grant, TokenRepository } from '../application/token-repository';
import type { Tokens } from '../application/tokens';
import type { App } from '../domain/app';
import {
  ACCESS_TOKEN_SECONDS,
  judgeRefresh,
  newAccessToken,
  newRefreshToken,
  REFRESH_TOKEN_SECONDS,
} from '../domain/tokens';

/** The library checks expiry by the system's clock. Our clock port has checked it before, so the library gets a date far away. */
const NOT_EXPIRED = new Date(8.64e15);

type Model = OAuth2Server.AuthorizationCodeModel & OAuth2Server.RefreshTokenModel;

/** The library's model for the exchange of one code or refresh token. */
export class ExchangeModel implements Model {
  /** Whether a code or grant was used up or ended, which must be committed even if the answer is an error. */
  hasEndedSomething = false;
  /** Whether a new generation of the grant's tokens has started. */
  hasRotated = false;
  issued?: IssuedTokens;
  private readonly parameters: Readonly<Record<string, string>>;
  private readonly receivedAt: Date;
  private app?: App;
  private grant?: Grant;
  /** Whether a code is being redeemed. If that fails, its grant is useless and ends. */
  private isRedeeming = false;

  constructor(
    private readonly clients: Tokens,
    private readonly tokens: TokenRepository,
    private readonly clock: Clock,
    request: { parameters: Readonly<Record<string, string>>; waitedMs: number },
  ) {
    this.parameters = request.parameters;
    this.receivedAt = new Date(clock.now().getTime() - request.waitedMs);
  }

  async getClient(clientId: string, clientSecret: string | undefined): Promise<OAuth2Server.Client> {
    this.app = await this.clients.authenticate({ clientId, clientSecret });
    return { id: this.app.id, grants: ['authorization_code', 'refresh_token'] };
  }

  async getAuthorizationCode(code: string): Promise<OAuth2Server.AuthorizationCode | undefined> {
    const hash = hashSecretToken(code);
    const stored = await this.tokens.lockCode(hash);
    if (stored?.grant.appId !== this.app!.id) return undefined;
    // The client of a replayed code may have stolen it, so its tokens are revoked (RFC 6749 section 4.1.2).
    if (stored.wasUsed) return this.end(stored.grant);
    const now = this.clock.now();
    await this.tokens.markUsed(hash, now);
    this.isRedeeming = true;
    this.grant = stored.grant;
    if (stored.expiresAt <= now || this.parameters.redirect_uri !== stored.redirectUri) return undefined;
    return {
      authorizationCode: code,
      expiresAt: NOT_EXPIRED,
      redirectUri: stored.redirectUri,
      scope: this.app!.allowed(stored.grant.scopes),
      codeChallenge: stored.codeChallenge,
      codeChallengeMethod: stored.codeChallenge && 'S256',
      client: { id: stored.grant.appId, grants: [] },
      user: stored.grant,
    };
  }

  /** Already done when the code was read: a wrong verifier uses it up too. */
  revokeAuthorizationCode(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async getRefreshToken(token: string): Promise<OAuth2Server.RefreshToken | undefined> {
    const stored = await this.tokens.lockRefreshToken(hashSecretToken(token));
    const now = this.clock.now();
    if (stored?.grant.appId !== this.app!.id || stored.expiresAt <= now) return undefined;
    const verdict = judgeRefresh(stored.generation!, stored.grant, { receivedAt: this.receivedAt, now });
    if (verdict === 'stolen') return this.end(stored.grant);
    if (verdict === 'busy') return undefined;
    this.hasRotated = verdict === 'next';
    this.grant = this.hasRotated ? await this.tokens.rotate(stored.grant, now) : stored.grant;
    return {
      refreshToken: token,
      scope: this.app!.allowed(stored.scopes),
      client: { id: stored.grant.appId, grants: [] },
      user: this.grant,
    };
  }

  /** Already done when the token was read. */
  revokeToken(): Promise<boolean> {
    return Promise.resolve(true);
  }

  generateAccessToken(): Promise<string> {
    return Promise.resolve(newAccessToken());
  }

  generateRefreshToken(): Promise<string> {
    return Promise.resolve(newRefreshToken());
  }

  async saveToken(token: OAuth2Server.Token, client: OAuth2Server.Client): Promise<OAuth2Server.Token> {
    const now = this.clock.now();
    const { accessToken, refreshToken, scope = [] } = token;
    await this.tokens.add(
      this.grant!,
      {
        accessHash: hashSecretToken(accessToken),
        accessScopes: scope,
        accessExpiresAt: new Date(now.getTime() + ACCESS_TOKEN_SECONDS * 1000),
        refreshHash: hashSecretToken(refreshToken!),
        refreshExpiresAt: new Date(now.getTime() + REFRESH_TOKEN_SECONDS * 1000),
      },
      now,
    );
    const { workspaceId } = this.grant!;
    this.issued = { accessToken, refreshToken: refreshToken!, scopes: scope, workspaceId };
    return { ...token, client, user: this.grant! };
  }

  /** Never called: the access guard verifies tokens. */
  getAccessToken(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  saveAuthorizationCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** Called when the exchange has failed. */
  async giveUp(): Promise<void> {
    if (this.isRedeeming) await this.end(this.grant!);
  }

  private async end(grant: Grant): Promise<undefined> {
    this.hasEndedSomething = true;
    await this.tokens.removeGrant(grant.id);
  }
}
