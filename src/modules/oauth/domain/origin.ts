import { parseUrl } from '../../../kernel/url';
import { isLoopback } from './redirect-uri';

const MAX_LENGTH = 300;

/**
 * Why an origin can't be registered, or undefined. Browsers send it in this very form, so it is compared as text (RFC 6454
 * section 6.2). `null`, which every sandboxed page has, is no origin.
 */
export function originProblem(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  const url = parseUrl(text);
  if (!url) return 'must be an origin such as https://app.example.com';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https://';
  if (url.protocol === 'http:' && !isLoopback(url)) return 'must begin with https://, unless it is localhost';
  if (url.hostname.includes('*')) return 'must name one host: there are no wildcards';
  return url.origin === text ? undefined : `must be written as ${url.origin}`;
}
