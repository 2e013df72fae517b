import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { parseId } from '../../../kernel/ids';
import { hashSecretToken } from '../../../kernel/secret-token';
import type { App } from '../domain/app';
import { OAuthError } from '../domain/oauth-error';
import { AppRepository } from './app-repository';
import type { ClientCredentials } from './token-endpoint';
import { type StoredToken, TokenRepository } from './token-repository';

/** Token revocation (RFC 7009) and introspection (RFC 7662). */
@Injectable()
export class Tokens {
  constructor(
    private readonly apps: AppRepository,
    private readonly tokens: TokenRepository,
    private readonly clock: Clock,
  ) {}

  async authenticate({ clientId, clientSecret }: ClientCredentials): Promise<App> {
    const id = parseId('app', clientId);
    const app = id && (await this.apps.find(id));
    if (!app?.isAuthenticatedBy(clientSecret)) {
      throw new OAuthError('invalid_client', 'The client is unknown, or its secret is wrong.');
    }
    return app;
  }

  /**
   * The origins whose web pages may call the token endpoints for a client: those of a public client, since the secret of any
   * other doesn't belong in a browser. Undefined for an unknown client.
   */
  async originsOf(clientId: string): Promise<readonly string[] | undefined> {
    const id = parseId('app', clientId);
    const app = id && (await this.apps.find(id));
    return app && (app.isPublic ? app.allowedOrigins : []);
  }

  /** Revoking a refresh token revokes all tokens of its grant. An unknown token counts as revoked. */
  async revoke(app: App, token: string): Promise<void> {
    const found = await this.find(app, token);
    if (found?.kind === 'refresh') await this.tokens.removeGrant(found.grant.id);
    else if (found) await this.tokens.removeAccessToken(hashSecretToken(token));
  }

  /** Undefined unless it is a valid token of this app. */
  async introspect(app: App, token: string): Promise<StoredToken | undefined> {
    const found = await this.find(app, token);
    if (!found || found.expiresAt <= this.clock.now()) return undefined;
    const isOutdated = found.kind === 'refresh' && found.generation !== found.grant.generation;
    return isOutdated ? undefined : found;
  }

  private async find(app: App, token: string): Promise<StoredToken | undefined> {
    const found = await this.tokens.find(hashSecretToken(token));
    return found?.grant.appId === app.id ? found : undefined;
  }
}
