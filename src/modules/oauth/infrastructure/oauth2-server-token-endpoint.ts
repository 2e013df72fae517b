import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type OAuth2ServerPackage from '@node-oauth/oauth2-server';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { type ClientCredentials, type IssuedTokens, TokenEndpoint } from '../application/token-endpoint';
import { TokenRepository } from '../application/token-repository';
import { Tokens } from '../application/tokens';
import { OAuthError, type OAuthErrorCode } from '../domain/oauth-error';
import { ACCESS_TOKEN_SECONDS, ANSWER_AFTER_MS, REFRESH_TOKEN_SECONDS } from '../domain/tokens';
import { ExchangeModel } from './exchange-model';

type Outcome = { issued: IssuedTokens } | { refusal: OAuthError };

/**
 * The grants of RFC 6749 and PKCE (RFC 7636) by @node-oauth/oauth2-server. Each exchange gets its own model and unit of work,
 * so that the second of two requests with the same code or token sees the changes of the first.
 */
@Injectable()
export class OAuth2ServerTokenEndpoint extends TokenEndpoint {
  constructor(
    private readonly clients: Tokens,
    private readonly tokens: TokenRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    super();
  }

  async exchange(
    client: ClientCredentials,
    parameters: Readonly<Record<string, string>>,
    waitedMs: number,
  ): Promise<IssuedTokens> {
    const model = new ExchangeModel(this.clients, this.tokens, this.clock, { parameters, waitedMs });
    const outcome = await this.unitOfWork.run(async (): Promise<Outcome> => {
      try {
        return { issued: await exchangeWith(model, client, parameters) };
      } catch (error) {
        // The unit of work commits although the answer is an error: codes stay used, and grants ended.
        if (!model.hasEndedSomething || !(error instanceof OAuthError)) throw error;
        return { refusal: error };
      }
    });
    if ('refusal' in outcome) throw outcome.refusal;
    if (model.hasRotated) await sleep(ANSWER_AFTER_MS);
    return outcome.issued;
  }
}

async function exchangeWith(
  model: ExchangeModel,
  { clientId, clientSecret }: ClientCredentials,
  parameters: Readonly<Record<string, string>>,
): Promise<IssuedTokens> {
  // Loaded on first use, to keep starts fast.
  const { default: OAuth2Server } = await import('@node-oauth/oauth2-server');
  const server = new OAuth2Server({
    model,
    accessTokenLifetime: ACCESS_TOKEN_SECONDS,
    refreshTokenLifetime: REFRESH_TOKEN_SECONDS,
    requireClientAuthentication: { authorization_code: false, refresh_token: false },
  });
  const request = new OAuth2Server.Request({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '1' },
    query: {},
    body: { ...parameters, client_id: clientId, client_secret: clientSecret },
  });
  try {
    await server.token(request, new OAuth2Server.Response());
  } catch (error) {
    await model.giveUp();
    throw error instanceof OAuth2Server.OAuthError ? translated(error) : error;
  }
  return model.issued!;
}

function translated(error: OAuth2ServerPackage.OAuthError): Error {
  // The library wraps errors that our model throws.
  if (error.name === 'server_error') return (error as { inner?: Error }).inner ?? error;
  return new OAuthError(error.name as OAuthErrorCode, error.message);
}
