const ID = /^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$/;
const WORD = /^[a-z][a-z_-]{0,39}$/;
const MAX_SEGMENTS = 8;

/**
 * A request's path as it may be stored: the route's template with ids filled in. Any other parameter may be a name, an
 * address or a secret, and stays `:id`. Of an unknown path (`/v1/{*path}`), most of which are misspelt, only segments that
 * look like names of routes are included; the rest becomes `…`.
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
  const readable = segments
    .slice(0, MAX_SEGMENTS)
    .map((segment: string) => (WORD.test(segment) || ID.test(segment) ? segment : '…'));
  return [...readable, ...(segments.length > MAX_SEGMENTS ? ['…'] : [])].join('/');
}
