import type { App } from './app';
import { OAuthError } from './oauth-error';
import { isRegistered } from './redirect-uri';

/** The query parameters. A repeated parameter has an array. */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A valid authorization request. */
export interface AuthorizationRequest {
  readonly app: App;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string | undefined;
  readonly codeChallenge: string | undefined;
}

/** The client and its redirect address, which must be verified before anyone is redirected. */
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
/** A SHA-256 hash in base64url (RFC 7636 section 4.2). */
const S256_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** Its errors must not redirect and are shown to the person instead (RFC 6749 section 4.1.2.1). */
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

/** Its errors are sent to the app's redirect address. */
export function checkRequest(parameters: Parameters, client: Client): AuthorizationRequest {
  for (const name of PARAMETERS) {
    if (Array.isArray(parameters[name]))
      throw new OAuthError('invalid_request', `${name} must be given only once.`);
  }
  const given = parameters as Readonly<Record<string, string | undefined>>;
  // Browsers change control characters in forms, and RFC 6749 appendix A.5 excludes them.
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

/** All registered scopes if none are requested. Some clients encode the plus sign that stands for a space. */
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

/** Only S256 is supported, and public clients must use it (RFC 9700 section 2.1.1). */
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
