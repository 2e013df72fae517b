import { parseUrl } from '../../../kernel/url';

const MAX_LENGTH = 2000;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The reason why an address can't be registered, or undefined. Addresses are compared as text, so they must be written as a
 * URL parser writes them (RFC 9700 section 2.1). Without HTTPS only loopback addresses are allowed, and schemes of
 * native apps, which contain a reversed domain name (RFC 8252 sections 7.1 and 7.3).
 */
export function redirectUriProblem(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  const url = parseUrl(text);
  if (!url) return 'must be an absolute URL';
  if (text.includes('#')) return 'must not have a fragment';
  if (url.username || url.password) return 'must not hold a user name or password';
  if (url.href !== text && url.href !== `${text}/`) return `must be written as ${url.href}`;
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:') {
    return isLoopback(url) ? undefined : 'must begin with https://, unless it leads to localhost';
  }
  return url.protocol.includes('.')
    ? undefined
    : 'must have a scheme with a dot in it, such as com.example.app:';
}

/** Whether the address leads to the user's own machine. */
export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.includes(hostname);
}

/** Splits an `http:` address on a loopback IP into the origin without the port, the port, and the rest. */
const LOOPBACK_ADDRESS = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::(\d{1,5}))?([/?].*)?$/;
const MAX_PORT = 65_535;

/**
 * Whether an address is registered, compared character by character. Only the port of a loopback IP address may differ,
 * because native apps choose it at run time (RFC 8252 section 7.3). `localhost` isn't such an address (section 8.3).
 */
export function isRegistered(redirectUri: string, registered: readonly string[]): boolean {
  if (registered.includes(redirectUri)) return true;
  const portless = withoutLoopbackPort(redirectUri);
  return portless !== undefined && registered.some((uri) => withoutLoopbackPort(uri) === portless);
}

function withoutLoopbackPort(uri: string): string | undefined {
  const [, origin, port, rest = ''] = LOOPBACK_ADDRESS.exec(uri) ?? [];
  return origin === undefined || Number(port ?? 0) > MAX_PORT ? undefined : origin + rest;
}

/** Appends parameters to the query and changes nothing else of the address. */
export function withParameters(redirectUri: string, parameters: Record<string, string | undefined>): string {
  const added = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${added.join('&')}`;
}
