/**
 * Scopes in a few words: “Full access”, “None”, or those of one object and how many others there are, such as
 * “Leads: read, write · +3”.
 *
 * @param all every scope that there is
 */
export function scopeSummary(scopes: readonly string[], all: readonly string[]): string {
  const given = new Set(scopes);
  if (given.size === 0) return 'None';
  if (all.length > 0 && all.every((scope) => given.has(scope))) return 'Full access';
  const [first] = [...given];
  const object = objectOf(first!);
  const same = [...given].filter((scope) => objectOf(scope) === object);
  const others = given.size - same.length;
  const what = same.map((scope) => scope.slice(object.length + 1)).filter(Boolean);
  const name = object.charAt(0).toUpperCase() + object.slice(1).replaceAll(/[_-]/g, ' ');
  return `${name}${what.length > 0 ? `: ${what.join(', ')}` : ''}${others > 0 ? ` · +${others}` : ''}`;
}

function objectOf(scope: string): string {
  const colon = scope.indexOf(':');
  return colon === -1 ? scope : scope.slice(0, colon);
}
