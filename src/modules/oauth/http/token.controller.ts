import { Controller, HttpCode, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../../../platform/access/access.decorators';
import { keepToOrigins } from '../../../platform/access/cross-origin';
import { Configuration } from '../../../platform/config/configuration';
import { addressOf } from '../../../platform/config/public-address';
import { FormOrJson } from '../../../platform/http/form-or-json.decorator';
import { DescribeGroup } from '../../../platform/openapi/describe';
import { type ClientCredentials, TokenEndpoint } from '../application/token-endpoint';
import { Tokens } from '../application/tokens';
import { OAuthError } from '../domain/oauth-error';
import { ACCESS_TOKEN_SECONDS } from '../domain/tokens';
import { credentialsOf, parametersOf, required } from './client-request';
import { DescribeOAuth } from './describe-oauth';
import { OAuthErrorFilter } from './oauth-error.filter';
import {
  CODE_EXCHANGE,
  IntrospectionResponse,
  RevocationResponse,
  TokenParameter,
  TokenRequest,
  TokensResponse,
} from './token.dto';

const GRANT_TYPES = ['authorization_code', 'refresh_token'];

/** The endpoints that clients call directly: tokens (RFC 6749 section 3.2), revocation (RFC 7009), introspection (RFC 7662). */
@Controller('oauth')
@Public()
@UseFilters(OAuthErrorFilter)
@DescribeGroup({
  name: 'OAuth',
  description:
    'What apps call themselves to get, renew and end their tokens. They prove who they are with their client id and secret.',
})
export class TokenController {
  private readonly issuer: string;

  constructor(
    private readonly endpoint: TokenEndpoint,
    private readonly tokens: Tokens,
    { publicUrl }: Configuration,
  ) {
    this.issuer = addressOf(publicUrl);
  }

  @Post('token')
  @HttpCode(200)
  @FormOrJson()
  @DescribeOAuth({
    operationId: 'exchangeToken',
    summary: 'Get tokens',
    description: 'For an authorization code, or anew for a refresh token (RFC 6749 sections 4.1.3 and 6).',
    body: TokenRequest,
    request: CODE_EXCHANGE,
    response: TokensResponse,
  })
  async exchange(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<object> {
    const parameters = parametersOf(request);
    if (!GRANT_TYPES.includes(required(parameters, 'grant_type'))) {
      throw new OAuthError('unsupported_grant_type', `grant_type must be one of ${GRANT_TYPES.join(', ')}.`);
    }
    const { waitedMs = 0 } = request;
    const client = await this.clientOf(request, parameters);
    const issued = await this.endpoint.exchange(client, parameters, waitedMs);
    keepSecret(response);
    return {
      access_token: issued.accessToken,
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
      refresh_token: issued.refreshToken,
      scope: issued.scopes.join(' '),
      workspace_id: issued.workspaceId,
    };
  }

  @Post('revoke')
  @HttpCode(200)
  @FormOrJson()
  @DescribeOAuth({
    operationId: 'revokeToken',
    summary: 'End a token',
    description:
      'A refresh token ends everything that came of the consent, an access token itself alone (RFC 7009).',
    body: TokenParameter,
    response: RevocationResponse,
  })
  async revoke(@Req() request: Request): Promise<object> {
    const parameters = parametersOf(request);
    const app = await this.tokens.authenticate(await this.clientOf(request, parameters));
    await this.tokens.revoke(app, required(parameters, 'token'));
    return {};
  }

  @Post('introspect')
  @HttpCode(200)
  @FormOrJson()
  @DescribeOAuth({
    operationId: 'introspectToken',
    summary: 'Ask about a token',
    description: 'One of the app’s own (RFC 7662). Public clients can’t.',
    body: TokenParameter,
    response: IntrospectionResponse,
  })
  async introspect(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<object> {
    const parameters = parametersOf(request);
    const app = await this.tokens.authenticate(credentialsOf(request, parameters));
    // Without authentication anyone could test stolen or guessed tokens here (RFC 7662 section 2.1).
    if (app.isPublic) throw new OAuthError('invalid_client', 'A public client can’t ask about tokens.');
    const token = await this.tokens.introspect(app, required(parameters, 'token'));
    keepSecret(response);
    if (!token) return { active: false };
    return {
      active: true,
      scope: app.allowed(token.scopes).join(' '),
      client_id: app.id,
      token_type: token.kind === 'access' ? 'Bearer' : 'refresh_token',
      exp: unixTime(token.expiresAt),
      ...(token.createdAt && { iat: unixTime(token.createdAt) }),
      iss: this.issuer,
      sub: token.grant.userId,
      workspace_id: token.grant.workspaceId,
      mode: token.grant.mode,
      installation_id: token.grant.installationId,
    };
  }

  /** The client that the request names. Web pages of other origins than its own can't read the response. */
  private async clientOf(
    request: Request,
    parameters: Readonly<Record<string, string>>,
  ): Promise<ClientCredentials> {
    const client = credentialsOf(request, parameters);
    const isFromBrowser = request.headers.origin !== undefined;
    const origins = isFromBrowser ? await this.tokens.originsOf(client.clientId) : undefined;
    if (origins) keepToOrigins(request, origins);
    return client;
  }
}

function keepSecret(response: Response): void {
  response.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' });
}

function unixTime(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}
