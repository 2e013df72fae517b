/** The path under which a proxy serves Gala, such as `/gala`; empty when there is none. */
export function basePathOf(publicUrl: URL): string {
  return publicUrl.pathname.replace(/\/+$/, '');
}

/** What all paths of Gala begin with. PUBLIC_URL's path is none of them, so that it can be told from them. */
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

/** The path of Gala that another begins with. */
export function ownPathIn(path: string): string | undefined {
  return OWN_PATHS.find((own) => path === own || path.startsWith(`${own}/`));
}

/** The whole address under which clients reach a path of this service, such as `/docs`. */
export function addressOf(publicUrl: URL, path = ''): string {
  return publicUrl.origin + basePathOf(publicUrl) + path;
}

/**
 * What a request asks for, without the path of PUBLIC_URL: proxies pass that on or take it away, and either is understood.
 * Well-known addresses carry it at their end (RFC 8414 section 3.1).
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
