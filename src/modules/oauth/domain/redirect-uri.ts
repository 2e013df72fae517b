import { parseUrl } from '../../../kernel/url';

const MAX_LENGTH = 2000;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Why an address can't be registered, or undefined. It is compared character by character later on, so it has to be
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
    return LOOPBACK.includes(url.hostname)
      ? undefined
      : 'must begin with https://, unless it leads to localhost';
  }
  return url.protocol.includes('.')
    ? undefined
    : 'must have a scheme with a dot in it, such as com.example.app:';
}

/** The address with parameters added to those that it has, and nothing else of it changed. */
export function withParameters(redirectUri: string, parameters: Record<string, string | undefined>): string {
  const added = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${added.join('&')}`;
}
