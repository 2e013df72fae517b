/** The types that match a pattern: `lead.created`, `lead.*` or `*`. */
export function typesOf(pattern: string, types: readonly string[]): readonly string[] {
  if (pattern === '*') return types;
  if (!pattern.endsWith('.*')) return types.filter((type) => type === pattern);
  const object = pattern.slice(0, -1);
  return types.filter((type) => type.startsWith(object));
}

/** Whether a pattern matches any of the types, or is `*`. */
export function isEventPattern(pattern: string, types: readonly string[]): boolean {
  return pattern === '*' || typesOf(pattern, types).length > 0;
}

export const MAX_PATTERNS = 100;

export function patternCountProblem({ length }: readonly string[]): string | undefined {
  if (length === 0) return 'must hold at least one event type, such as lead.created, lead.* or *';
  return length > MAX_PATTERNS ? `must hold at most ${MAX_PATTERNS} items` : undefined;
}
