import type { App } from './app';
import { OAuthError } from './oauth-error';
import { isRegistered } from './redirect-uri';

/** What came with the address, each parameter as often as it was given. */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** An app's wish to be let in, checked. */
export interface AuthorizationRequest {
  readonly app: App;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string | undefined;
  readonly codeChallenge: string | undefined;
}

/** What has to be known before anyone may be sent anywhere: who asks, and where the answer goes. */
export interface Client {
  readonly app: App;
  readonly redirectUri: string;
  readonly state: string | undefined;
}

export const PARAMETERS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const;

const CONTROL_CHARACTER = /[\x00-\x1f\x7f]/;
/** 32 bytes in base64url, which is what SHA-256 makes of any verifier (RFC 7636 section 4.2). */
const S256_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** Throws when the answer must not be sent to an app: then it is for the person alone (RFC 6749 section 4.1.2.1). */
export function identifyClient(parameters: Parameters, app: App | undefined): Client {
  if (!app) throw new OAuthError('invalid_client', 'No app is registered under this client_id.');
  const redirectUri = parameters.redirect_uri;
  if (typeof redirectUri !== 'string') {
    throw new OAuthError('invalid_request', 'redirect_uri must be given exactly once.');
  }
  if (!isRegistered(redirectUri, app.redirectUris)) {
    throw new OAuthError('invalid_request', 'This redirect_uri is not one that the app has registered.');
  }
  const { state } = parameters;
  return { app, redirectUri, state: typeof state === 'string' ? state : undefined };
}

/** Throws what the app is told at its redirect address. */
export function checkRequest(parameters: Parameters, client: Client): AuthorizationRequest {
  for (const name of PARAMETERS) {
    if (Array.isArray(parameters[name]))
      throw new OAuthError('invalid_request', `${name} must be given only once.`);
  }
  const given = parameters as Readonly<Record<string, string | undefined>>;
  // Browsers change them on their way through a form, and RFC 6749 (appendix A.5) has none.
  if (CONTROL_CHARACTER.test(given.state ?? '')) {
    throw new OAuthError('invalid_request', 'state must not hold control characters.');
  }
  if ((given.response_type ?? 'code') !== 'code') {
    throw new OAuthError('unsupported_response_type', 'The only response_type is code.');
  }
  return {
    ...client,
    scopes: requestedScopes(given.scope, client.app),
    codeChallenge: challengeOf(given, client.app),
  };
}

/** Without any, all that the app has registered. Some clients encode the plus sign that stands for a space. */
function requestedScopes(text: string | undefined, app: App): readonly string[] {
  if (text === undefined) return app.scopes;
  const scopes = [...new Set(text.split(/[ +]/).filter(Boolean))];
  if (scopes.length === 0)
    throw new OAuthError('invalid_scope', 'scope must not be empty; leave it out to ask for all.');
  const refused = scopes.find((scope) => !app.scopes.includes(scope));
  if (refused)
    throw new OAuthError(
      'invalid_scope',
      'scope holds one that does not exist or that the app has not registered.',
    );
  return scopes;
}

/** PKCE by S256 alone, and always of public clients (RFC 9700 section 2.1.1). */
function challengeOf(given: Readonly<Record<string, string | undefined>>, app: App): string | undefined {
  const { code_challenge: challenge, code_challenge_method: method } = given;
  if (challenge === undefined) {
    if (method !== undefined)
      throw new OAuthError('invalid_request', 'code_challenge_method comes without a code_challenge.');
    if (app.isPublic) throw new OAuthError('invalid_request', 'A public client must send a code_challenge.');
    return undefined;
  }
  if (method !== 'S256') throw new OAuthError('invalid_request', 'code_challenge_method must be S256.');
  if (!S256_CHALLENGE.test(challenge)) {
    throw new OAuthError('invalid_request', 'code_challenge must be a SHA-256 in base64url without padding.');
  }
  return challenge;
}
