import { parseUrl } from '../../../kernel/url';

const MAX_LENGTH = 2000;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Why an address can't be registered, or undefined. It is compared as text later on, so it has to be
 * written as a URL parser would (RFC 9700 section 2.1); without HTTPS it may lead to the user's own machine only, or
 * to an app there by a scheme that its maker's domain gives it (RFC 8252 sections 7.1 and 7.3).
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

/** An `http:` address on a loopback IP: what stands before its port, the port, and what follows. */
const LOOPBACK_ADDRESS = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::(\d{1,5}))?([/?].*)?$/;
const MAX_PORT = 65_535;

/**
 * Whether an app may be answered at an address: it is one of those registered, character by character. The port of a
 * loopback IP address alone may differ, since native apps learn it only when they run (RFC 8252 section 7.3); `localhost`
 * is no such address (section 8.3).
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

/** The address with parameters added to those that it has, and nothing else of it changed. */
export function withParameters(redirectUri: string, parameters: Record<string, string | undefined>): string {
  const added = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${added.join('&')}`;
}
