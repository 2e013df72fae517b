/** The types that a pattern names: one, all of an object, or all. */
export function typesOf(pattern: string, types: readonly string[]): readonly string[] {
  if (pattern === '*') return types;
  if (!pattern.endsWith('.*')) return types.filter((type) => type === pattern);
  const object = pattern.slice(0, -1);
  return types.filter((type) => type.startsWith(object));
}

/** Whether `pattern` names events that there are: one, all of an object, or all. */
export function isEventPattern(pattern: string, types: readonly string[]): boolean {
  return pattern === '*' || typesOf(pattern, types).length > 0;
}

export const MAX_PATTERNS = 100;

export function patternCountProblem({ length }: readonly string[]): string | undefined {
  if (length === 0) return 'must hold at least one event type, such as lead.created, lead.* or *';
  return length > MAX_PATTERNS ? `must hold at most ${MAX_PATTERNS} items` : undefined;
}
