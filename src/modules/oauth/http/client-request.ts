import type { Request } from 'express';
import { countHeader } from '../../../platform/http/request-input';
import type { ClientCredentials } from '../application/token-endpoint';
import { OAuthError } from '../domain/oauth-error';

/**
 * The parameters of a client's request (RFC 6749 section 3.2). A repeated parameter is an error, a blank one counts as
 * absent, and callers ignore unknown ones.
 */
export function parametersOf({ body }: Request): Record<string, string> {
  const parameters = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(body as Record<string, unknown>)) {
    if (value === null || value === '') continue;
    if (typeof value !== 'string') {
      throw new OAuthError('invalid_request', `${printable(name)} must be a string, given once.`);
    }
    parameters[name] = value;
  }
  return parameters;
}

export function required(parameters: Readonly<Record<string, string>>, name: string): string {
  const value = parameters[name];
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is required.`);
  return value;
}

/** Reads the credentials from HTTP Basic or the body; both together are an error (RFC 6749 section 2.3.1). */
export function credentialsOf(
  request: Request,
  parameters: Readonly<Record<string, string>>,
): ClientCredentials {
  const { client_id: clientId, client_secret: clientSecret } = parameters;
  const { authorization } = request.headers;
  if (authorization === undefined) return { clientId: required(parameters, 'client_id'), clientSecret };
  if (countHeader(request, 'authorization') > 1) {
    throw new OAuthError('invalid_request', 'Send at most one Authorization header.');
  }
  if (clientSecret !== undefined) {
    throw new OAuthError('invalid_request', 'Send the secret by HTTP Basic or in the body, not both.');
  }
  const basic = readBasic(authorization);
  if (clientId !== undefined && clientId !== basic.clientId) {
    throw new OAuthError('invalid_request', 'client_id differs from the one in the Authorization header.');
  }
  return basic;
}

function readBasic(authorization: string): ClientCredentials {
  const encoded = /^Basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(authorization)?.[1];
  const decoded = encoded && Buffer.from(encoded, 'base64').toString();
  const colon = decoded ? decoded.indexOf(':') : -1;
  if (!decoded || colon === -1) {
    throw new OAuthError(
      'invalid_client',
      'The Authorization header must be HTTP Basic: client id and secret.',
    );
  }
  const secret = decodeFormValue(decoded.slice(colon + 1));
  return {
    clientId: decodeFormValue(decoded.slice(0, colon)),
    clientSecret: secret === '' ? undefined : secret,
  };
}

/** Clients form-encode id and secret before joining them. Ours are the same with and without encoding. */
function decodeFormValue(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Replaces characters that `error_description` excludes (RFC 6749 section 5.2). */
function printable(text: string): string {
  return text.slice(0, 50).replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?');
}
