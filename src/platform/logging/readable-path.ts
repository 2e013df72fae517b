const ID = /^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$/;
const WORD = /^[a-z][a-z_-]{0,39}$/;
const MOST_SEGMENTS = 8;

/**
 * Where a request went, as it may be kept: the route's template with the ids that were asked for. Whatever else callers
 * put into a path may be a name, an address or a secret, and stays `:id`. Of a path that no route takes (`/v1/{*path}`)
 * what looks like the name of a route is told, since most such paths are misspelt ones, and the rest is `…`.
 */
export function readablePath(template: string, parameters: Record<string, unknown>): string {
  return template.replace(/\{\*(\w+)\}|:(\w+)/g, (placeholder, wildcard?: string, name?: string) => {
    if (wildcard !== undefined) return restOf(parameters[wildcard]);
    const value = parameters[name!];
    return typeof value === 'string' && ID.test(value) ? value : placeholder;
  });
}

function restOf(segments: unknown): string {
  if (!Array.isArray(segments)) return '';
  const told = segments
    .slice(0, MOST_SEGMENTS)
    .map((segment: string) => (WORD.test(segment) || ID.test(segment) ? segment : '…'));
  return [...told, ...(segments.length > MOST_SEGMENTS ? ['…'] : [])].join('/');
}
