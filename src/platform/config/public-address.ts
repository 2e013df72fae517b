/** The path under which a proxy serves Gala, such as `/gala`; empty when there is none. */
export function basePathOf(publicUrl: URL): string {
  return publicUrl.pathname.replace(/\/+$/, '');
}

/** The top-level paths of Gala. PUBLIC_URL's path must not begin with one, so that the two can be told apart. */
const OWN_PATHS = [
  ...[
    '/v1',
    '/oauth',
    '/.well-known',
    '/channels',
    '/health',
    '/metrics',
    '/docs',
    '/openapi.json',
    '/assets',
  ],
  ...['/settings', '/account', '/sign-in', '/sign-out', '/password-reset', '/invitations', '/proposals'],
];

/** Gala's top-level path that `path` begins with, if any. */
export function ownPathIn(path: string): string | undefined {
  return OWN_PATHS.find((own) => path === own || path.startsWith(`${own}/`));
}

/** The absolute URL of a path of this service, such as `/docs`. */
export function addressOf(publicUrl: URL, path = ''): string {
  return publicUrl.origin + basePathOf(publicUrl) + path;
}

/**
 * Removes the path of PUBLIC_URL from a request target, if the proxy passed it on. Well-known URLs have it at their end
 * (RFC 8414 section 3.1).
 */
export function routeOf(publicUrl: URL, target: string): string {
  const basePath = basePathOf(publicUrl);
  if (!basePath) return target;
  const [, wellKnown, end = ''] = /^(\/\.well-known\/[^/?]+)([^?]*)/.exec(target) ?? [];
  if (wellKnown && end === basePath) return wellKnown + target.slice(wellKnown.length + end.length);
  if (!target.startsWith(basePath)) return target;
  const rest = target.slice(basePath.length);
  if (rest.startsWith('/')) return rest;
  return rest === '' || rest.startsWith('?') ? `/${rest}` : target;
}
